import { commonPrefixLength } from "../../../shared/diff/common-length.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ClosestRegion } from "./closest-region.ts";

const maxWholeLines = 30;
const maxShownLines = 10;
const linesBeforeDifference = 4;
const maxShownCharacters = 200;

/** The error for a text that was not found; it shows the most similar lines. */
export function noMatch(message: string, advice: string, region: ClosestRegion | undefined): ToolError {
  const hint = region === undefined ? advice : `${advice}\n${describeRegion(region)}`;
  return new ToolError("no-match", message, { hint });
}

/** Shows a region with line numbers, and where it first differs from the wanted text. */
function describeRegion({ firstLine, lines, wanted }: ClosestRegion): string {
  const differsAt = wanted.findIndex((line, index) => line !== lines[index]);
  const isWhole = lines.length <= maxWholeLines;
  const around = Math.min(differsAt - linesBeforeDifference, lines.length - maxShownLines);
  const first = isWhole ? 0 : Math.max(0, around);
  const shown = lines.slice(first, first + (isWhole ? maxWholeLines : maxShownLines)).map((line, index) => {
    const mark = first + index === differsAt ? ">" : " ";
    return `${mark}${String(firstLine + first + index).padStart(6)}\t${cut(line)}`;
  });
  const title = `Closest match, lines ${firstLine}-${firstLine + Math.max(0, lines.length - 1)}:`;
  return [title, ...shown, ...describeDifference({ firstLine, lines, wanted }, differsAt)].join("\n");
}

function describeDifference({ firstLine, lines, wanted }: ClosestRegion, differsAt: number): string[] {
  const expected = wanted[differsAt];
  if (expected === undefined) return [];
  const found = lines[differsAt];
  if (found === undefined) return [`The file ends there; the old text continues with ${quote(expected, 0)}.`];
  const from = Math.max(0, commonPrefixLength(found, expected) - maxShownCharacters / 2);
  return [
    `First difference, line ${firstLine + differsAt}: the file has ${quote(found, from)}, the old text has ${quote(expected, from)}.`,
  ];
}

/** As JSON, so that tabs and spaces look different. */
function quote(line: string, from: number): string {
  return `${from > 0 ? "…" : ""}${JSON.stringify(cut(line.slice(from)))}`;
}

function cut(line: string): string {
  return line.length > maxShownCharacters ? `${line.slice(0, maxShownCharacters)}…` : line;
}
