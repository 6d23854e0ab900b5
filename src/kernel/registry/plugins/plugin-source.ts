import { defined } from "../../../shared/options/defined.ts";
import type { Shape } from "../../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { AnyTool } from "../../../tool/define-tool.ts";
import type { Logger } from "../../../tool/tool-context.ts";
import { isTool } from "../is-tool.ts";
import { withinLoadTime } from "../load-code.ts";
import { overrideKeys, type ToolSource, type VersionedTool } from "../tool-source.ts";
import type { PluginApiOf, PluginOf } from "./plugin.ts";

/** One plugin as a source of tools, with the API through which it adds them. */
export interface PluginSource<Hooks> extends ToolSource {
  readonly api: PluginApiOf<Hooks>;
  hooks(): readonly Hooks[];
  start(onChange: () => void): Promise<void>;
  stop(): Promise<void>;
}

export function createPluginSource<Hooks>(
  plugin: PluginOf<Hooks>,
  {
    logger,
    hookKeys,
    version = plugin.version,
  }: { logger: Logger; hookKeys: Shape; version?: string | undefined },
): PluginSource<Hooks> {
  const id = `plugin ${plugin.name}`;
  const versioned = defined({ versionOf: version === undefined ? undefined : () => version });
  const tools: VersionedTool[] = [];
  const hooks: Hooks[] = plugin.hooks === undefined ? [] : [plugin.hooks];
  let notify = () => {};
  let stopped = false;

  const refuseWhenStopped = () => {
    if (stopped) throw new Error(`${id} is stopped and cannot add anything`);
  };
  const addTools = (added: readonly AnyTool[], override: boolean) => {
    refuseWhenStopped();
    for (const tool of added) {
      if (!isTool(tool))
        throw new TypeError(`${id} provides something that is not a tool; make it with defineTool`);
    }
    tools.push(...added.map((tool) => ({ tool, override, ...versioned })));
    notify();
  };
  addTools(plugin.tools ?? [], false);

  return {
    id,
    layer: "plugin",
    tools: () => tools,
    hooks: () => hooks,
    api: {
      registerTool(tool, options = {}) {
        refuseUnknownKeys(options, overrideKeys, `${id}: registerTool`);
        addTools([tool], options.override ?? false);
      },
      registerTools: (added) => addTools(added, false),
      addHooks(added) {
        refuseWhenStopped();
        refuseUnknownKeys(added, hookKeys, `${id}: addHooks`);
        hooks.push(added);
      },
      logger: nameLines(logger, plugin.name),
    },
    async start(onChange) {
      notify = onChange;
      await runStep(`${id} failed to start`, () => plugin.start?.());
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      await runStep(`${id} failed to stop`, () => plugin.stop?.());
    },
  };
}

function nameLines(logger: Logger, name: string): Logger {
  return {
    debug: (message, data) => logger.debug(`[${name}] ${message}`, data),
    info: (message, data) => logger.info(`[${name}] ${message}`, data),
    warn: (message, data) => logger.warn(`[${name}] ${message}`, data),
    error: (message, data) => logger.error(`[${name}] ${message}`, data),
  };
}

export async function runStep(whatFailed: string, step: () => void | Promise<void>): Promise<void> {
  try {
    await withinLoadTime(step);
  } catch (cause) {
    throw new Error(`${whatFailed}: ${describeThrown(cause)}`, { cause });
  }
}
