import { stripVTControlCharacters } from "node:util";

/** Rows of cells under each other; the last cell of a row is as long as it likes. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.slice(0, -1).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    }
  }
  const toLine = (row: readonly string[]) =>
    row.map((cell, index) => (index === row.length - 1 ? cell : pad(cell, widths[index] ?? 0))).join("  ");
  return rows.map((row) => toLine(row).trimEnd()).join("\n");
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - widthOf(cell)));
}

/** Colours take no room. */
function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
