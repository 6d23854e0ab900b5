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
  // Both are several times faster than an expression, which counts for a text that is nothing but line ends.
  if (!text.includes("\r")) return ending === "lf" ? text : text.split("\n").join(end);
  return text.length > maxQuick ? replaceUnits(text, end) : text.replace(anyLineEnd, end);
}

const maxQuick = 100_000;

/** Takes as long for any text, however many lines it has. */
function replaceUnits(text: string, end: string): string {
  const bytes = Buffer.from(text, "utf16le");
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
  const written = new Uint16Array(units.length * end.length);
  let length = 0;
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at]!;
    if (unit !== carriageReturn && unit !== lineFeed) {
      written[length++] = unit;
      continue;
    }
    if (unit === carriageReturn && units[at + 1] === lineFeed) at += 1;
    for (let each = 0; each < end.length; each += 1) written[length++] = end.charCodeAt(each);
  }
  return Buffer.from(written.buffer, 0, length * 2).toString("utf16le");
}

const carriageReturn = 13;
const lineFeed = 10;

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
