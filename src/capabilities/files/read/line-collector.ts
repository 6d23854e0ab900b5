import type { CutLine, LineRange } from "../../../tool/services/files.ts";

const newline = 0x0a;

// A larger window ends early, so that it cannot fill the memory whatever limit the caller set.
const maxWindowCharacters = 16 * 2 ** 20;
const perLineCharacters = 16;
const defaultLineCharacters = 2000;

/** Takes a text's bytes in order and collects the lines of a window. Lines end with LF or CRLF. */
export function createLineCollector({
  firstLine,
  maxLines,
  firstColumn = 1,
  maxLineCharacters = defaultLineCharacters,
  maxCharacters = Number.POSITIVE_INFINITY,
  isLenient = false,
}: LineRange & { readonly isLenient?: boolean }) {
  const lines: string[] = [];
  const cutLines: CutLine[] = [];
  const current = createLongLine({ maxCharacters: maxLineCharacters, skippedCharacters: firstColumn - 1 });
  // The byte order mark at the start was skipped already; elsewhere it is an ordinary character.
  const decoder = new TextDecoder("utf-8", { fatal: !isLenient, ignoreBOM: true });
  let newlines = 0;
  let charactersTaken = 0;
  let memoryTaken = 0;
  let skippedCharacters = 0;
  let hasMore = false;
  let endsOpen = false;

  const isBefore = () => newlines < firstLine - 1;
  const isFull = () =>
    lines.length >= maxLines || charactersTaken >= maxCharacters || memoryTaken >= maxWindowCharacters;

  /** Decodes line by line, because a slice of a larger string would keep all of it in memory. */
  const takeLines = (chunk: Buffer, start: number): number => {
    let position = start;
    while (!isFull() && position < chunk.length) {
      const found = findNewline(chunk, position);
      const isComplete = found !== -1;
      const end = isComplete ? found : chunk.length;
      current.append(decoder.decode(chunk.subarray(position, end), { stream: !isComplete }));
      if (!isComplete) return end;
      endLine("\n");
      newlines++;
      position = end + 1;
    }
    return position;
  };

  const endLine = (terminator: "\n" | "") => {
    const { text, cutCharacters, ...taken } = current.end(terminator);
    if (lines.length === 0) skippedCharacters = taken.skippedCharacters;
    lines.push(text);
    charactersTaken += text.length + 1;
    memoryTaken += text.length + perLineCharacters;
    if (cutCharacters > 0) cutLines.push({ line: firstLine + lines.length - 1, cutCharacters });
  };

  const push = (chunk: Buffer) => {
    if (chunk.length === 0) return;
    endsOpen = chunk[chunk.length - 1] !== newline;
    const skipped = passLines(chunk, 0, firstLine - 1 - newlines);
    newlines += skipped.lines;
    if (isBefore()) return;
    const windowEnd = takeLines(chunk, skipped.end);
    if (windowEnd === chunk.length) return;
    hasMore = true;
    newlines += passLines(chunk, windowEnd, Number.POSITIVE_INFINITY).lines;
  };

  /** Call after the last chunk; returns the total number of lines. */
  const end = (): number => {
    if (endsOpen && !isBefore() && !isFull()) {
      current.append(decoder.decode());
      endLine("");
    }
    return newlines + (endsOpen ? 1 : 0);
  };

  return {
    push,
    end,
    /** Whether there was text after the window. */
    hasMore: () => hasMore,
    window: () => ({ lines, cutLines, skippedCharacters }),
  };
}

/** Skips `count` newlines, or to the end of the chunk. */
function passLines(chunk: Buffer, start: number, count: number): { lines: number; end: number } {
  let end = start;
  for (let lines = 0; lines < count; lines++) {
    const found = findNewline(chunk, end);
    if (found === -1) return { lines, end: chunk.length };
    end = found + 1;
  }
  return { lines: Math.max(count, 0), end };
}

/** Looks at the next bytes itself: most lines are short, and asking the engine for each takes longer than they do. */
function findNewline(chunk: Buffer, start: number): number {
  const near = Math.min(start + nearBytes, chunk.length);
  for (let at = start; at < near; at += 1) if (chunk[at] === newline) return at;
  return near === chunk.length ? -1 : chunk.indexOf(newline, near);
}

const nearBytes = 64;

interface LongLineLimits {
  /** How much of a line is kept. */
  readonly maxCharacters: number;
  /** How many characters of the first line are passed over. */
  readonly skippedCharacters: number;
}

/** A line that arrives in pieces: a part of it is kept, and the rest is only counted. */
function createLongLine({ maxCharacters, skippedCharacters }: LongLineLimits) {
  let skip = skippedCharacters;
  let kept = "";
  let characters = 0;
  let endsWithReturn = false;

  const append = (piece: string): void => {
    if (piece === "") return;
    const from = Math.max(0, skip - characters);
    characters += piece.length;
    endsWithReturn = piece.endsWith("\r");
    const room = maxCharacters - kept.length;
    if (from === 0 && piece.length <= room) kept += piece;
    else if (room > 0) kept += detach(piece.slice(from, from + room));
  };

  /** Returns the line, without the CR of a CRLF, and starts the next one. */
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
