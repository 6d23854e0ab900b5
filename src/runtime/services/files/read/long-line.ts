const maxLineCharacters = 2000;

/** A line that arrives in pieces: its start is kept, and the rest is only counted. */
export interface LongLine {
  append(piece: string): void;
  /** Returns the line, without the CR of a CRLF, and starts the next one. */
  end(terminator: "\n" | ""): { readonly text: string; readonly cutCharacters: number };
}

export function createLongLine(): LongLine {
  let kept = "";
  let characters = 0;
  let endsWithReturn = false;

  const append = (piece: string) => {
    if (piece === "") return;
    characters += piece.length;
    endsWithReturn = piece.endsWith("\r");
    const room = maxLineCharacters - kept.length;
    if (piece.length <= room) kept += piece;
    else if (room > 0) kept += detach(piece.slice(0, room));
  };

  const end = (terminator: "\n" | "") => {
    const lineCharacters = characters - (terminator === "\n" && endsWithReturn ? 1 : 0);
    const isCut = lineCharacters > kept.length;
    const text = isCut ? withoutHalfPair(kept) : kept.slice(0, lineCharacters);
    kept = "";
    characters = 0;
    endsWithReturn = false;
    return { text, cutCharacters: lineCharacters - text.length };
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
