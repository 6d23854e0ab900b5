import type { Hooks } from "../../runtime/pipeline/hooks/hooks.ts";
import type { PluginOf } from "../../runtime/registry/plugins/plugin.ts";
import { pulseHooks } from "./pulse-hooks.ts";
import { pulseTool } from "./pulse-tools.ts";
import type { PulsePlugin, PulsePluginContext } from "./pulse-types.ts";

/** A plugin written for Pulse's engine, as a plugin of this runtime. Its tools may take the names of built-in ones. */
export function pulsePlugin({
  name,
  version,
  dependencies,
  initialize,
  destroy,
}: PulsePlugin): PluginOf<Hooks> {
  const services = new Map<string, unknown>();
  return {
    name,
    ...(version !== undefined && { version }),
    ...(dependencies !== undefined && { dependencies }),
    async register({ registerTool, addHooks, logger }) {
      const add: PulsePluginContext["registerTool"] = (toolName, tool) =>
        registerTool(pulseTool({ ...tool, name: toolName }), { override: true });
      await initialize({
        registerTool: add,
        registerTools: (tools) => {
          for (const [toolName, tool] of Object.entries(tools)) add(toolName, tool);
        },
        registerHook: (hookName, hook) => addHooks(pulseHooks({ [hookName]: hook })),
        registerService: (serviceName, service) => void services.set(serviceName, service),
        getService: (serviceName) => services.get(serviceName),
        logger,
      });
    },
    ...(destroy && { stop: () => destroy() }),
  };
}
