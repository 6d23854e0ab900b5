export interface LongLineLimits {
  /** How much of a line is kept. */
  readonly maxCharacters: number;
  /** How many characters of the first line are passed over. */
  readonly skippedCharacters: number;
}

/** A line that arrives in pieces: a part of it is kept, and the rest is only counted. */
export interface LongLine {
  append(piece: string): void;
  /** Returns the line, without the CR of a CRLF, and starts the next one. */
  end(terminator: "\n" | ""): TakenLine;
}

interface TakenLine {
  readonly text: string;
  readonly skippedCharacters: number;
  readonly cutCharacters: number;
}

export function createLongLine({ maxCharacters, skippedCharacters }: LongLineLimits): LongLine {
  let skip = skippedCharacters;
  let kept = "";
  let characters = 0;
  let endsWithReturn = false;

  const append = (piece: string) => {
    if (piece === "") return;
    const from = Math.max(0, skip - characters);
    characters += piece.length;
    endsWithReturn = piece.endsWith("\r");
    const room = maxCharacters - kept.length;
    if (from === 0 && piece.length <= room) kept += piece;
    else if (room > 0) kept += detach(piece.slice(from, from + room));
  };

  const end = (terminator: "\n" | "") => {
    const lineCharacters = characters - (terminator === "\n" && endsWithReturn ? 1 : 0);
    const skipped = Math.min(skip, lineCharacters);
    const wanted = lineCharacters - skipped;
    const part = wanted > kept.length ? withoutHalfPair(kept) : kept.slice(0, wanted);
    const text = skipped > 0 ? part.toWellFormed() : part;
    skip = 0;
    kept = "";
    characters = 0;
    endsWithReturn = false;
    return { text, skippedCharacters: skipped, cutCharacters: wanted - text.length };
  };

  return { append, end };
}

/** Copies the string: a slice would keep the whole original in memory. */
function detach(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le");
}

function withoutHalfPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
