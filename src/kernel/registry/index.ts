export { createRegistry } from "./create-registry.ts";
export { isToolFile, refusePathPart } from "./folders/scan-tool-folder.ts";
export { asToolFolder, type ToolFolder, toolFolderKeys } from "./folders/tool-folder.ts";
export { createWatchSet } from "./folders/watch-set.ts";
export { isTool } from "./is-tool.ts";
export type { TakenNames } from "./name-rules.ts";
export type { PluginApiOf, PluginOf } from "./plugins/plugin.ts";
export type { RegisteredTool, Registry, ToolList } from "./registry.ts";
export {
  createStaticSource,
  type Layer,
  layers,
  type ProvidedTool,
  type SourceProblem,
  type ToolSource,
  type VersionedTool,
} from "./tool-source.ts";
