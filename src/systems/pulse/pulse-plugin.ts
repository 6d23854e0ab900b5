import { EventEmitter } from "node:events";
import type { Hooks } from "../../index.ts";
import type { PluginOf } from "../../kernel/registry/index.ts";
import { defined } from "../../shared/options/defined.ts";
import { type AnyTool, defineTool } from "../../tool/define-tool.ts";
import type { SchemaDeclaration } from "../../tool/input-schema.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { pulseHooks, type RunHookLists, runHookNames } from "./pulse-hooks.ts";
import type { PulsePlugin, PulsePluginContext, PulseTool, PulseToolContext } from "./pulse-types.ts";

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
    ...defined({
      stop: plugin.destroy && (async () => context && plugin.destroy?.(context)),
    }),
  };
}

const toolHookNames: ReadonlySet<string> = new Set([
  "beforeToolCall",
  "afterToolCall",
  "onBeforeToolCall",
  "onAfterToolCall",
]);

/** Tools written for Pulse's engine, as tools of this runtime. */
export function pulseTools(tools: readonly PulseTool[] | Readonly<Record<string, PulseTool>>): AnyTool[] {
  return Object.values(tools).map(pulseTool);
}

function pulseTool(tool: PulseTool): AnyTool {
  const { name, description, inputSchema, deferLoading } = tool;
  if (typeof tool.execute !== "function") throw new TypeError(`${name}: execute must be a function`);
  return defineTool({
    name,
    description: description || name,
    input: inputSchema as SchemaDeclaration,
    traits: defined({ deferrable: deferLoading }),
    run: async (input: unknown, context: ToolContext) => tool.execute(input, toPulseContext(context)),
  });
}

function toPulseContext(context: ToolContext): PulseToolContext {
  return {
    // Made when it is used, because most tools never look at it.
    get abortSignal() {
      return context.signal;
    },
    onClarificationRequest: ({ question, context: about, defaultAnswer, timeout }) =>
      context.ask({
        text: about === undefined ? question : `${question}\n\n${about}`,
        ...defined({ default: defaultAnswer, timeoutMs: timeout }),
      }),
  };
}
