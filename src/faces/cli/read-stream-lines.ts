/** Yielded in place of a line that is too long to keep in memory. */
export class TooLongLine extends Error {
  override readonly name = "TooLongLine";

  constructor() {
    super(`the line is longer than ${maxLineCharacters.toLocaleString("en-US")} characters`);
  }
}

const maxLineCharacters = 8 * 1024 * 1024;

/**
 * The lines of a stream, one at a time. Only a line feed ends a line: `node:readline` also splits at U+2028,
 * which may occur inside a JSON string.
 */
export async function* readStreamLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string | TooLongLine, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  let isTooLong = false;
  const end = (piece: string): string | TooLongLine => {
    const line =
      isTooLong || rest.length + piece.length > maxLineCharacters ? new TooLongLine() : rest + piece;
    rest = "";
    isTooLong = false;
    return line;
  };
  const keep = (piece: string) => {
    isTooLong ||= rest.length + piece.length > maxLineCharacters;
    rest = isTooLong ? "" : rest + piece;
  };
  for await (const chunk of chunks) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) yield end(piece);
    keep(last);
  }
  keep(decoder.decode());
  if (rest !== "" || isTooLong) yield end("");
}
