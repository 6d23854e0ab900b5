/** How the lines of a text end; a text without line endings counts as `lf`. */
export type LineEnding = "lf" | "crlf" | "cr" | "mixed";

export function lineEndingOf(text: string): LineEnding {
  if (!text.includes("\r")) return "lf";
  const first = firstLineEnding(text)!;
  return hasOther(text, first) ? "mixed" : first;
}

/** Converts every line ending. */
export function withLineEnding(text: string, ending: Exclude<LineEnding, "mixed">): string {
  const end = lineEnds[ending];
  // Several times faster than an expression, which counts for a text that is nothing but line ends.
  return text.includes("\r") ? text.replace(anyLineEnd, end) : text.split("\n").join(end);
}

/** The first line ending in a text, if there is one. */
function firstLineEnding(text: string): Exclude<LineEnding, "mixed"> | undefined {
  const [found] = /\r\n?|\n/.exec(text) ?? [];
  if (found === undefined) return undefined;
  if (found === "\n") return "lf";
  return found === "\r\n" ? "crlf" : "cr";
}

/** Splits at any line ending; a text that ends with one has an empty last line. */
export function splitLines(text: string): string[] {
  return text.split(anyLineEnd);
}

export function lineEndOf(ending: Exclude<LineEnding, "mixed">): string {
  return lineEnds[ending];
}

const anyLineEnd = /\r\n?|\n/g;

const lineEnds = { lf: "\n", crlf: "\r\n", cr: "\r" } as const;

/** Whether any line ends differently from the first. */
function hasOther(text: string, first: Exclude<LineEnding, "mixed">): boolean {
  if (first === "lf") return text.includes("\r");
  if (first === "cr") return text.includes("\n");
  let newline = -1;
  for (let at = text.indexOf("\r"); at !== -1; at = text.indexOf("\r", at + 1)) {
    newline = text.indexOf("\n", newline + 1);
    if (newline !== at + 1) return true;
  }
  return text.includes("\n", newline + 1);
}
