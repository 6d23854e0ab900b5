/** The 1-based lines of offsets that are given in ascending order; lines are counted by LF, as in reading. */
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
