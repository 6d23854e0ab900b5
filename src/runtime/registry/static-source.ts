import type { AnyTool } from "../../tool/define-tool.ts";
import type { Layer, ProvidedTool, ToolSource } from "./tool-source.ts";

/** Tools listed in code: the built-in ones, or those given in the options. */
export function createStaticSource(
  id: string,
  layer: Layer,
  tools: readonly (AnyTool | ProvidedTool)[],
): ToolSource {
  const provided = tools.map((entry) => ("tool" in entry ? entry : { tool: entry }));
  return { id, layer, strict: true, tools: () => provided };
}
