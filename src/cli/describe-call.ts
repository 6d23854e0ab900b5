import type { CallEndEvent } from "../runtime/events/session-event.ts";
import { escapeControls } from "../shared/escape-controls.ts";
import type { Output } from "./output.ts";

type Style = Parameters<Output["style"]>[0];

const marks: Readonly<Record<CallEndEvent["receipt"]["status"], readonly [mark: string, style: Style]>> = {
  done: ["✓", "green"],
  failed: ["✗", "red"],
  denied: ["⊘", "yellow"],
  "timed-out": ["⧖", "red"],
  cancelled: ["■", "yellow"],
  sealed: ["?", "yellow"],
};

/** A finished call in a line: how it ended, what was called with what, how long it took; a diff below where there is one. */
export function describeCall({ receipt, text, error }: CallEndEvent, style: Output["style"]): string {
  const [mark, colour] = marks[receipt.status];
  const name = style("bold", show(receipt.calledAs ?? receipt.tool));
  const took = style("dim", formatDuration(receipt.durationMs));
  const lines = [`${style(colour, mark)} ${name} ${summarize(receipt.input)} ${took}`];
  if (error !== undefined) lines.push(style("dim", `  ${shorten(show(error.message), maxError)}`));
  else if (receipt.verdict?.category !== undefined) lines.push(style("dim", `  ${lastLine(text)}`));
  else if (receipt.effects.writes.length > 0) lines.push(...formatDiff(text, style));
  return lines.join("\n");
}

const maxSummary = 80;
const maxError = 200;
const maxDiffLines = 40;

/** What a call is about is nearly always in its first text: a path, a command, a pattern. */
export function summarize(input: unknown): string {
  const values = typeof input === "object" && input !== null ? Object.values(input) : [input];
  const first = values.find((value): value is string => typeof value === "string");
  return shorten(show(first ?? (values.length === 0 ? "" : JSON.stringify(input))), maxSummary);
}

/** There a command's output tells how it ended. */
function lastLine(text: string): string {
  return shorten(show(text.trimEnd().split("\n").at(-1) ?? ""), maxError);
}

function formatDuration(durationMs: number): string {
  return durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

/** The hunks in a text, in colour. */
export function formatDiff(text: string, style: Output["style"]): string[] {
  const lines = text.trimEnd().split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@ "));
  if (start === -1) return [];
  const shown = lines.slice(start, start + maxDiffLines).map((line) => {
    const colour = diffColours.get(line.charAt(0));
    const printable = `  ${escapeControls(line, { keepLines: false })}`;
    return colour === undefined ? printable : style(colour, printable);
  });
  const left = lines.length - start - maxDiffLines;
  return left > 0 ? [...shown, style("dim", `  … ${left} more lines`)] : shown;
}

const diffColours = new Map<string, Style>([
  ["+", "green"],
  ["-", "red"],
  ["@", "cyan"],
]);

function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

function show(text: string): string {
  return escapeControls(text, { keepLines: false });
}
