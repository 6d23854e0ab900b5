import { stripVTControlCharacters } from "node:util";

/** Aligns rows of cells in columns; the last cell of a row is neither padded nor cut. */
export async function formatColumns(rows: readonly (readonly string[])[]): Promise<string> {
  const widthOf = await findMeasure(rows);
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.slice(0, -1).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    }
  }
  const pad = (cell: string, width: number) => cell + " ".repeat(Math.max(0, width - widthOf(cell)));
  const toLine = (row: readonly string[]) =>
    row.map((cell, index) => (index === row.length - 1 ? cell : pad(cell, widths[index] ?? 0))).join("  ");
  return rows.map((row) => toLine(row).trimEnd()).join("\n");
}

/** Loads the width table only for text beyond ASCII, such as Chinese, where a character takes two columns. */
async function findMeasure(rows: readonly (readonly string[])[]): Promise<(cell: string) => number> {
  if (!rows.some((row) => row.some(isBeyondAscii))) return (cell) => stripVTControlCharacters(cell).length;
  const { default: stringWidth } = await import("string-width");
  return (cell) => stringWidth(cell);
}

function isBeyondAscii(cell: string): boolean {
  return /[^\0-\x7f]/.test(cell);
}
