/** How the lines of a text end; one without any line end counts as `lf`. */
export type LineEnding = "lf" | "crlf" | "cr" | "mixed";

export function lineEndingOf(text: string): LineEnding {
  if (!text.includes("\r")) return "lf";
  const pairs = countOf(text, "\r\n");
  const hasLoneReturn = countOf(text, "\r") > pairs;
  const hasLoneNewline = countOf(text, "\n") > pairs;
  if (pairs > 0) return hasLoneReturn || hasLoneNewline ? "mixed" : "crlf";
  return hasLoneNewline ? "mixed" : "cr";
}

/** The text with every line ending alike. */
export function withLineEnding(text: string, ending: Exclude<LineEnding, "mixed">): string {
  return text.replace(anyLineEnd, lineEnds[ending]);
}

/** The first line end in a text, if there is one. */
export function firstLineEnding(text: string): Exclude<LineEnding, "mixed"> | undefined {
  const [found] = /\r\n?|\n/.exec(text) ?? [];
  if (found === undefined) return undefined;
  if (found === "\n") return "lf";
  return found === "\r\n" ? "crlf" : "cr";
}

/** Without its line ends; a text that ends with one has an empty last line. */
export function splitLines(text: string): string[] {
  return text.split(anyLineEnd);
}

const anyLineEnd = /\r\n?|\n/g;

const lineEnds = { lf: "\n", crlf: "\r\n", cr: "\r" } as const;

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
