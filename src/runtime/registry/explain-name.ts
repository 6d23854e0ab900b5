import { nearestNames } from "../../shared/text/nearest-names.ts";
import type { NameIndex } from "./name-index.ts";
import type { NameExplanation, RegisteredTool } from "./registry.ts";

/** The tool that has a name and the ones it hides, or else similar names. */
export function explainName(
  name: string,
  index: NameIndex,
  exact: RegisteredTool | undefined,
  aliased: RegisteredTool | undefined,
): NameExplanation {
  const found = exact ?? aliased;
  if (found === undefined) {
    return { name, shadowed: [], nearest: nearestNames(name, [...index.names(), ...index.aliases()]) };
  }
  const { tool, source, layer } = found;
  const hidden = exact === undefined ? index.aliasHolders(name).slice(1) : index.holders(name).slice(1);
  return {
    name,
    providedBy: { tool: tool.name, source, layer, asAlias: exact === undefined },
    shadowed: hidden.map(({ source, layer }) => ({ source, layer })),
    nearest: [],
  };
}
