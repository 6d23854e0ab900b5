import { nearestNames } from "../../shared/text/nearest-names.ts";
import type { NameIndex } from "./name-index.ts";
import type { NameExplanation, RegisteredTool } from "./registry.ts";

/** The tool that has a name and the ones it hides, or else similar names. */
export function explainName(
  name: string,
  index: NameIndex,
  { exact, aliased, builtIn }: Readonly<Record<"exact" | "aliased" | "builtIn", RegisteredTool | undefined>>,
): NameExplanation {
  const found = exact ?? builtIn ?? aliased;
  if (found === undefined) {
    return { name, shadowed: [], nearest: nearestNames(name, [...index.names(), ...index.aliases()]) };
  }
  const { tool, source, layer } = found;
  const sameName = exact === undefined ? [] : index.holders(name).slice(1);
  const byDialect = exact === undefined || builtIn === undefined || builtIn === exact ? [] : [builtIn];
  const byAlias = found === aliased ? index.aliasHolders(name).slice(1) : [];
  const hidden = [
    ...[...sameName, ...byDialect].map(({ name: tool, source, layer }) => ({ tool, source, layer })),
    ...byAlias.map(({ tool, source, layer }) => ({ tool, source, layer })),
  ];
  return {
    name,
    providedBy: { tool: tool.name, source, layer, asAlias: exact === undefined },
    shadowed: hidden,
    nearest: [],
  };
}
