/** Cuts a printable text to the columns of a terminal; a cut text ends with `…`. */
export function cutToColumns(text: string, maxColumns: number): string {
  if (columnsOf(text) <= maxColumns) return text;
  let shown = "";
  let columns = 1;
  for (const character of text) {
    columns += columnsOf(character);
    if (columns > maxColumns) break;
    shown += character;
  }
  return `${shown}…`;
}

/** The approximate width, good enough for cutting lines: East Asian characters and emoji take two columns. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += wide.test(character) ? 2 : 1;
  return columns;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
