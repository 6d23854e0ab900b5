/** The 1-based line of each offset; offsets must ascend. Lines end at LF, as when a file is read. */
export function lineNumbersAt(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let newline = text.indexOf("\n");
  return offsets.map((offset) => {
    while (newline !== -1 && newline < offset) {
      line++;
      newline = text.indexOf("\n", newline + 1);
    }
    return line;
  });
}
