import type { diffWordsWithSpace } from "diff";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";

type Style = CommandOutput["style"];
export type DiffWords = typeof diffWordsWithSpace;

/** The hunks of a diff in colour; where one line was changed to another, the words that differ stand out. */
export function formatDiffWords(text: string, style: Style, words: DiffWords | undefined): string[] {
  const lines = text.trimEnd().split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@ "));
  if (start === -1) return [];
  const shown = lines.slice(start, start + maxDiffLines).map((line) => line.slice(0, maxLineCharacters));
  const rows: string[] = [];
  for (let at = 0; at < shown.length; ) {
    const removed = runOf(shown, at, "-");
    const added = runOf(shown, at + removed.length, "+");
    if (removed.length + added.length === 0) {
      const line = shown[at] ?? "";
      rows.push(`  ${line.startsWith("@") ? style("cyan", escapeLine(line)) : escapeLine(line)}`);
      at += 1;
      continue;
    }
    rows.push(...formatChange(removed, added, { style, words }));
    at += removed.length + added.length;
  }
  return lines.length > start + maxDiffLines ? [...rows, style("dim", "  … and more")] : rows;
}

const maxDiffLines = 60;
const maxLineCharacters = 500;

function runOf(lines: readonly string[], from: number, mark: string): readonly string[] {
  let end = from;
  while (lines[end]?.startsWith(mark)) end += 1;
  return lines.slice(from, end);
}

function formatChange(
  removed: readonly string[],
  added: readonly string[],
  { style, words }: { style: Style; words: DiffWords | undefined },
): string[] {
  if (words === undefined || removed.length !== added.length)
    return [
      ...removed.map((line) => whole(line, "red", style)),
      ...added.map((line) => whole(line, "green", style)),
    ];
  const pairs = removed.map((before, index) => words(before.slice(1), (added[index] ?? "").slice(1)));
  return [
    ...pairs.map((parts) => changedWords(parts, "removed", style)),
    ...pairs.map((parts) => changedWords(parts, "added", style)),
  ];
}

function whole(line: string, colour: "red" | "green", style: Style): string {
  return style(colour, `  ${escapeLine(line)}`);
}

function changedWords(parts: ReturnType<DiffWords>, side: "removed" | "added", style: Style): string {
  const colour = side === "removed" ? "red" : "green";
  const shown = parts.flatMap((part) => {
    if (side === "removed" ? part.added : part.removed) return [];
    const text = escapeLine(part.value);
    return [part.added || part.removed ? style([colour, "inverse"], text) : style(colour, text)];
  });
  return `${style(colour, `  ${side === "removed" ? "-" : "+"}`)}${shown.join("")}`;
}
