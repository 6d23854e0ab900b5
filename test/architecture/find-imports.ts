import { posix } from "node:path";
import type { BlankedSource } from "./blank-literals.ts";

export interface Import {
  /** As written; a file of ours as its path inside src. */
  readonly target: string;
  readonly isOwn: boolean;
  /** `type` is gone when the program runs, `eager` loads with the file, `lazy` when the line is reached. */
  readonly kind: "type" | "eager" | "lazy";
}

/** Every import and re-export of a file, in the order in which they are written. */
export function findImports(path: string, source: BlankedSource): Import[] {
  return [...source.code.matchAll(importPattern)].flatMap((match) => {
    const written = source.strings.get(match.index + match[0].length - 1);
    // What an expression names is known only when it runs.
    if (written === undefined) return [];
    const isOwn = written.startsWith(".");
    const target = isOwn ? posix.join(posix.dirname(path), written) : written;
    return [{ target, isOwn, kind: kindOf(match) }];
  });
}

/** Ends at the opening quote of the module's name: `import … from "`, `export … from "`, `import "` or `import("`. */
const importPattern =
  /\b(?:(?:import|export)\b(?<clause>[\w\s{},*$]*?)\bfrom\s*|import\s*(?<call>\(\s*)?)["']/g;

function kindOf({ groups }: RegExpMatchArray): Import["kind"] {
  if (groups?.call !== undefined) return "lazy";
  return groups?.clause?.trimStart().startsWith("type ") ? "type" : "eager";
}
