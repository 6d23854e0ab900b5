import { EventEmitter } from "node:events";
import type { Hooks } from "../../index.ts";
import type { PluginOf } from "../../kernel/registry/plugins/plugin.ts";
import { defined } from "../../shared/options/defined.ts";
import { pulseHooks, type RunHookLists, runHookNames } from "./pulse-hooks.ts";
import { pulseTool } from "./pulse-tools.ts";
import type { PulsePlugin, PulsePluginContext } from "./pulse-types.ts";

/** The parts that the plugins of an engine share. */
export interface PulseSharing {
  readonly tools: Map<string, unknown>;
  readonly services: Map<string, unknown>;
  readonly settings: Map<string, unknown>;
  readonly events: EventEmitter;
  /** Where hooks around a run go; without an engine they are not called. */
  readonly runHooks?: RunHookLists;
}

export function createPulseSharing(runHooks?: RunHookLists): PulseSharing {
  return {
    tools: new Map(),
    services: new Map(),
    settings: new Map(),
    events: new EventEmitter(),
    ...defined({ runHooks }),
  };
}

/** A plugin written for Pulse's engine, as a plugin of this runtime. Its tools may take the names of built-in ones. */
export function pulsePlugin(
  plugin: PulsePlugin,
  sharing: PulseSharing = createPulseSharing(),
): PluginOf<Hooks> {
  const { name, version, dependencies } = plugin;
  const { tools, services, settings, events, runHooks } = sharing;
  let context: PulsePluginContext | undefined;
  return {
    name,
    ...defined({ version, dependencies }),
    async register({ registerTool, addHooks, logger }) {
      const add: PulsePluginContext["registerTool"] = (toolName, tool) => {
        tools.set(toolName, tool);
        registerTool(pulseTool({ ...tool, name: toolName }), { override: true });
      };
      context = {
        registerTool: add,
        registerTools: (given) => {
          for (const [toolName, tool] of Object.entries(given)) add(toolName, tool);
        },
        getTool: (toolName) => tools.get(toolName),
        getTools: () => Object.fromEntries(tools),
        registerHook(hookName, hook) {
          const isOfRun = (runHookNames as readonly string[]).includes(hookName);
          if (isOfRun && runHooks !== undefined) runHooks[hookName as keyof RunHookLists].push(hook as never);
          else if (toolHookNames.has(hookName)) addHooks(pulseHooks({ [hookName]: hook }));
          else logger.warn(`plugin ${name}: the hook ${hookName} is never called here`);
        },
        registerService: (serviceName, service) => void services.set(serviceName, service),
        getService: <Service>(serviceName: string) => services.get(serviceName) as Service | undefined,
        getConfig: <Setting>(key: string) => settings.get(key) as Setting | undefined,
        setConfig: (key, setting) => void settings.set(key, setting),
        events,
        logger,
      };
      await plugin.beforeInitialize?.(context);
      await plugin.initialize(context);
      await plugin.afterInitialize?.(context);
    },
    async stop() {
      if (context !== undefined) await plugin.destroy?.(context);
    },
  };
}

const toolHookNames: ReadonlySet<string> = new Set([
  "beforeToolCall",
  "afterToolCall",
  "onBeforeToolCall",
  "onAfterToolCall",
]);
