import { isAbsolute } from "node:path";
import type { CallEndEvent, LoggedEventOf } from "../../../kernel/events/index.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { showLine } from "../../../shared/text/mark-rows.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { columnsOf, cutToColumns } from "./cut-to-columns.ts";
import { formatDuration } from "./format-time.ts";

type Style = Parameters<CommandOutput["style"]>[0];

const marks: Readonly<Record<CallEndEvent["receipt"]["status"], readonly [mark: string, style: Style]>> = {
  done: ["✓", "green"],
  failed: ["✗", "red"],
  denied: ["⊘", "yellow"],
  "timed-out": ["⧖", "red"],
  cancelled: ["■", "yellow"],
  sealed: ["?", "yellow"],
};

/** Describes a running call in a few words: its name, the same as when it has ended, and its main argument. */
export function describeStart({ tool, calledAs = tool, input }: CallStart, workspace: string): string {
  return `${escapeLine(calledAs)} ${summarize(input, workspace)}`;
}

type CallStart = Pick<LoggedEventOf<"call-start">, "tool" | "calledAs" | "input">;

interface DescribeOptions {
  readonly style: CommandOutput["style"];
  /** The folder that paths are shown relative to. */
  readonly workspace: string;
}

/** Describes a finished call in a line: status mark, name, main argument and duration; below it an error or a diff, if any. */
export function describeCall(
  { receipt, text, error }: CallEndEvent,
  { style, workspace }: DescribeOptions,
): string {
  const [mark, colour] = marks[receipt.status];
  const name = style("bold", escapeLine(receipt.calledAs ?? receipt.tool));
  const took = style("dim", formatDuration(receipt.durationMs));
  const lines = [`${style(colour, mark)} ${name} ${summarize(receipt.input, workspace)} ${took}`];
  if (error !== undefined) lines.push(style("dim", `  ${shortenLine(error.message, maxError)}`));
  else if (receipt.verdict?.category !== undefined) lines.push(style("dim", `  ${lastLine(text)}`));
  else if (receipt.effects.writes.length > 0) lines.push(...formatDiff(text, style));
  return lines.join("\n");
}

/** Describes a finished call in a single line of at most `maxColumns`. */
export function describeCallInLine(
  { receipt, text, error }: CallEndEvent,
  { style, workspace, maxColumns }: DescribeOptions & { readonly maxColumns: number },
): string {
  const [mark, colour] = marks[receipt.status];
  const name = escapeLine(receipt.calledAs ?? receipt.tool);
  const took = formatDuration(receipt.durationMs);
  const outcome =
    error?.message.replace(`${name} was denied: `, "") ??
    (receipt.verdict?.category === undefined ? undefined : lastLine(text));
  const room = Math.max(minAbout, maxColumns - columnsOf(`${mark} ${name}  ${took}`));
  const about = joinWithin(
    room,
    summarize(receipt.input, workspace),
    outcome && shortenLine(outcome, maxError),
  );
  return `${style(colour, mark)} ${style("bold", name)} ${about} ${style("dim", took)}`;
}

/** Joins both texts; the first may be cut to half of the room to leave space for the outcome. */
function joinWithin(room: number, about: string, outcome: string | undefined): string {
  if (!outcome) return cutToColumns(about, room);
  const left = Math.max(Math.floor(room / 2), room - columnsOf(`: ${outcome}`));
  return cutToColumns(`${cutToColumns(about, left)}: ${outcome}`, room);
}

const minAbout = 8;
const maxSummary = 80;
const maxError = 200;
const maxDiffLines = 40;
const maxDiffLine = 500;

/** The first string of an input, which is nearly always the subject of the call: a path, a command, a pattern. */
export function summarize(input: unknown, workspace: string): string {
  const entries: [string, unknown][] =
    typeof input === "object" && input !== null ? Object.entries(input) : [["", input]];
  const first = entries.find((entry): entry is [string, string] => typeof entry[1] === "string");
  if (first === undefined)
    return (
      summarizeList(entries) ?? shortenLine(entries.length === 0 ? "" : JSON.stringify(input), maxSummary)
    );
  const [name, value] = first;
  const inside = namesPath.test(name) && isAbsolute(value) ? relativeInside(workspace, value) : undefined;
  return shortenLine(inside ?? value, maxSummary);
}

/** Summarizes an input that is a list by the first string of its first entry. */
function summarizeList(entries: readonly [string, unknown][]): string | undefined {
  const list = entries[0]?.[1];
  const [first, ...more]: readonly unknown[] = Array.isArray(list) ? list : [];
  const words = typeof first === "object" && first !== null ? Object.values(first) : [first];
  const word = words.find((each) => typeof each === "string");
  if (word === undefined) return undefined;
  return `${shortenLine(word, maxListed)}${more.length === 0 ? "" : ` and ${more.length} more`}`;
}

const maxListed = 60;
const namesPath = /path$|^source$/i;

/** The last line of a command's output says how it ended; the duration is skipped because it is shown already. */
function lastLine(text: string): string {
  const end = text.trimEnd().replace(/\nIt took [\d.]+ s\.$/, "");
  return shortenLine(end.slice(end.lastIndexOf("\n") + 1), maxError);
}

/** Formats the hunks of a diff in colour; a long diff is cut. */
export function formatDiff(
  text: string,
  style: CommandOutput["style"],
  { maxColumns = Number.POSITIVE_INFINITY }: { maxColumns?: number } = {},
): string[] {
  const lines = text.trimEnd().split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@ "));
  if (start === -1) return [];
  const shown = lines.slice(start, start + maxDiffLines).map((line) => {
    const colour = diffColours.get(line.charAt(0));
    const printable = cutToColumns(`  ${shortenLine(line, maxDiffLine)}`, maxColumns);
    return colour === undefined ? printable : style(colour, printable);
  });
  return lines.length > start + maxDiffLines ? [...shown, style("dim", "  … and more")] : shown;
}

const diffColours = new Map<string, Style>([
  ["+", "green"],
  ["-", "red"],
  ["@", "cyan"],
]);

/** Escapes and cuts a line. Cuts first, so that a huge text costs no more than a short one. */
export function shortenLine(text: string, max: number): string {
  const shown = showLine(cut(text, max));
  return text.length <= max && shown.length <= max ? shown : `${cut(shown, max - 1)}…`;
}

/** Cuts a text, but never between the halves of a surrogate pair. */
function cut(text: string, end: number): string {
  return text.slice(0, end).replace(/[\ud800-\udbff]$/, "");
}
