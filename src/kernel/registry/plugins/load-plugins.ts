import { defined } from "../../../shared/options/defined.ts";
import { type Foreign, foreign, type ObjectShape, type Shape } from "../../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { AnyTool } from "../../../tool/define-tool.ts";
import type { Logger } from "../../../tool/tool-context.ts";
import { isTool } from "../is-tool.ts";
import { withinLoadTime } from "../load-code.ts";
import { overrideKeys, type ToolSource, type VersionedTool } from "../tool-source.ts";
import { importPlugin, parsePlugin } from "./import-plugin.ts";
import { type PluginApiOf, type PluginOf, pluginKeys } from "./plugin.ts";

interface LoadPluginsOptions {
  readonly logger: Logger;
  /** Base folder for paths and for looking up packages. */
  readonly folder?: string;
  /** The keys of hooks, which only the code that runs them knows. */
  readonly hookKeys?: ObjectShape | Foreign;
}

/** Imports, orders and registers plugins. If one fails, those registered before it are stopped again. */
export async function loadPlugins<Hooks = unknown>(
  plugins: readonly (PluginOf<Hooks> | string)[],
  { logger, folder = ".", hookKeys = foreign }: LoadPluginsOptions,
) {
  const keys = pluginKeys(hookKeys);
  const imported = await Promise.all(
    plugins.map((plugin) =>
      typeof plugin === "string" ? importPlugin(plugin, { folder, keys }) : parsePlugin(plugin, keys),
    ),
  );
  refuseDoubles(imported);
  const approved = new Map(imported.map((plugin, index) => [plugin, approvedVersion(plugins[index])]));
  const ordered = orderPlugins(imported as PluginOf<Hooks>[]);

  const sources: PluginSource<Hooks>[] = [];
  try {
    for (const plugin of ordered) {
      const source = createPluginSource(plugin, { logger, hookKeys, version: approved.get(plugin) });
      await runStep(`${source.id} failed to register`, () => plugin.register?.(source.api));
      sources.push(source);
    }
  } catch (error) {
    for (const source of sources.toReversed())
      await source.stop().catch((failure: unknown) => logger.error(describeThrown(failure)));
    throw error;
  }
  return {
    /** Dependencies first. Starting a source starts its plugin, so start them one after the other. */
    sources,
    /** In the order of the plugins; grows when a plugin adds hooks later. */
    hooks: () => sources.flatMap((source) => source.hooks()),
  };
}

/** The address of a plugin's file ends with the approved version, if its files were compared with that. */
function approvedVersion(given: unknown): string | undefined {
  if (typeof given !== "string" || !given.startsWith("file:")) return undefined;
  return new URL(given).hash.slice(1) || undefined;
}

function refuseDoubles(plugins: readonly PluginOf[]): void {
  const names = new Set<string>();
  for (const { name } of plugins) {
    if (names.has(name)) throw new Error(`plugin ${name} is given twice`);
    names.add(name);
  }
}

/** Dependencies first; otherwise in the order given. */
function orderPlugins<Hooks>(plugins: readonly PluginOf<Hooks>[]): PluginOf<Hooks>[] {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const ordered = new Set<PluginOf<Hooks>>();
  const visit = (name: string, dependents: readonly string[]): void => {
    const chain = [...dependents, name];
    const plugin = byName.get(name);
    if (plugin === undefined) {
      throw new Error(`plugin ${name} is required but missing: ${chain.join(" → ")}`);
    }
    if (dependents.includes(name)) {
      const cycle = chain.slice(chain.indexOf(name));
      throw new Error(`plugins depend on each other in a cycle: ${cycle.join(" → ")}`);
    }
    if (ordered.has(plugin)) return;
    for (const dependency of plugin.dependencies ?? []) visit(dependency, chain);
    ordered.add(plugin);
  };
  for (const { name } of plugins) visit(name, []);
  return [...ordered];
}

/** One plugin as a source of tools, with the API through which it adds them. */
interface PluginSource<Hooks> extends ToolSource {
  readonly api: PluginApiOf<Hooks>;
  hooks(): readonly Hooks[];
  stop(): Promise<void>;
}

function createPluginSource<Hooks>(
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

async function runStep(whatFailed: string, step: () => void | Promise<void>): Promise<void> {
  try {
    await withinLoadTime(step);
  } catch (cause) {
    throw new Error(`${whatFailed}: ${describeThrown(cause)}`, { cause });
  }
}
