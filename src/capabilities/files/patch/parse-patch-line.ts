import type { PatchLine } from "./patched-change.ts";

const kinds = new Map<string, PatchLine["kind"]>([
  [" ", "keep"],
  ["-", "remove"],
  ["+", "add"],
]);

/** One line of a chunk or a hunk; an empty one is an empty context line whose mark was trimmed. */
export function parsePatchLine(line: string): PatchLine {
  if (line === "") return { kind: "keep", text: "" };
  const kind = kinds.get(line.charAt(0));
  return kind === undefined ? { kind: "keep", text: line, isUnmarked: true } : { kind, text: line.slice(1) };
}
