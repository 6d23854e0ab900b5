import { createNameIndex, type NameIndex } from "./name-index.ts";
import type { NameRefusal, TakenNames } from "./name-rules.ts";
import { layers, type SourceProblem, type ToolSource } from "./tool-source.ts";

interface MergedSources {
  readonly index: NameIndex;
  /** By the id of the source. */
  readonly refusals: ReadonlyMap<string, readonly NameRefusal[]>;
  /** The refusals as problems to show. */
  readonly clashes: readonly SourceProblem[];
}

/** Reads all sources, lowest layer first, so that every name is checked against those in lower layers. */
export function mergeSources(sources: readonly ToolSource[], takenName: TakenNames): MergedSources {
  const index = createNameIndex(takenName);
  const refusals = new Map<string, NameRefusal[]>();
  for (const layer of layers) {
    for (const source of sources) {
      if (source.layer !== layer) continue;
      const refused = source.tools().flatMap((provided) => index.add(source, provided));
      if (refused.length > 0) refusals.set(source.id, [...(refusals.get(source.id) ?? []), ...refused]);
    }
  }
  return { index, refusals, clashes: [...refusals].flatMap(([id, refused]) => refused.map(toProblem(id))) };
}

function toProblem(source: string): (refusal: NameRefusal) => SourceProblem {
  return ({ kind, name, message, hint }) => ({
    source,
    subject: name,
    message: `${message}. ${hint}`,
    ...(kind === "alias" && { severity: "warning" as const }),
  });
}
