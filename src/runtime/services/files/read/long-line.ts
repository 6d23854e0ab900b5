const maxLineCharacters = 2000;

/** A line that comes in pieces: its beginning is kept and the rest only counted, however long it gets. */
export interface LongLine {
  append(piece: string): void;
  /** The line without its CR if an LF ends it; begins the next one. */
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

/** A slice keeps the whole string it was taken from in memory; a copy does not. */
function detach(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le");
}

function withoutHalfPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
