import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import { type Layer, type ProvidedTool, providedToolKeys, type ToolSource } from "./tool-source.ts";

/** Tools listed in code: the built-in ones, or those given in the options. */
export function createStaticSource(
  id: string,
  layer: Layer,
  tools: readonly (AnyTool | ProvidedTool)[],
): ToolSource {
  const provided = tools.map((entry, index) => {
    if (!("tool" in entry)) return { tool: entry };
    refuseUnknownKeys(entry, providedToolKeys, `${id}[${index}]`);
    return entry;
  });
  return { id, layer, strict: true, tools: () => provided };
}
