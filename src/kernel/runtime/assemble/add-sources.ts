import type { AnyTool } from "../../../tool/define-tool.ts";
import type { Logger } from "../../../tool/tool-context.ts";
import { type Hooks, hookKeys } from "../../call/index.ts";
import { createDialectView, type Dialect } from "../../dialects/index.ts";
import { createStaticSource, type ProvidedTool, type Registry } from "../../registry/index.ts";
import type { RuntimeOptions } from "../runtime-options.ts";

/** Adds every source but MCP servers to the registry, which decides which one provides a name. Returns the hooks of plugins, if there are some. */
export async function addSources(
  registry: Registry,
  { builtin, dialect }: { readonly builtin: readonly AnyTool[]; readonly dialect: Dialect },
  options: RuntimeOptions,
): Promise<(() => readonly Hooks[]) | undefined> {
  await registry.addSource(createStaticSource("built-in", "builtin", builtin.map(inItsGroup)));
  const { toolFolders = [], plugins = [], tools = [], logger = silentLogger } = options;
  if (toolFolders.length > 0) {
    const { createFolderSource } = await import("../../registry/folders/folder-source.ts");
    const { nameOf, describeLoading } = createDialectView(dialect, registry);
    for (const folder of toolFolders) {
      const source = createFolderSource(folder);
      await registry.addSource(source);
      const loaded = registry.list().filter((entry) => entry.source === source.id);
      const tools = loaded.map(({ name }) => nameOf(name));
      for (const line of describeLoading({ files: source.fileCount, tools })) logger.info(line);
    }
  }
  const pluginHooks = plugins.length === 0 ? undefined : await addPlugins(registry, plugins, logger);
  if (tools.length > 0) await registry.addSource(createStaticSource("options.tools", "inline", tools));
  return pluginHooks;
}

async function addPlugins(
  registry: Registry,
  plugins: NonNullable<RuntimeOptions["plugins"]>,
  logger: Logger,
): Promise<() => readonly Hooks[]> {
  const { loadPlugins } = await import("../../registry/plugins/load-plugins.ts");
  const { sources, hooks } = await loadPlugins<Hooks>(plugins, { logger, hookKeys });
  for (const source of sources) await registry.addSource(source);
  return hooks;
}

/** A built-in tool's name begins with its group: `file_read` is in `file`. */
function inItsGroup(tool: AnyTool): ProvidedTool {
  return { tool, group: tool.name.slice(0, tool.name.indexOf("_")) };
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
