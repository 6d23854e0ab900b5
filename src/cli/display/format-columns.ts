import { isatty } from "node:tty";
import { stripVTControlCharacters } from "node:util";

/**
 * Aligns rows of cells in columns. The last cell of a row is neither padded nor cut; on a terminal, what does not fit goes
 * on below, between words.
 */
export async function formatColumns(
  rows: readonly (readonly string[])[],
  { columns = stdoutColumns() }: { readonly columns?: number | undefined } = {},
): Promise<string> {
  const widthOf = await findMeasure(rows);
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.slice(0, -1).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    }
  }
  const pad = (cell: string, width: number) => cell + " ".repeat(Math.max(0, width - widthOf(cell)));
  const toLine = (row: readonly string[]) => {
    const start = row.slice(0, -1).map((cell, index) => `${pad(cell, widths[index] ?? 0)}  `);
    const indent = widths.slice(0, start.length).reduce((sum, width) => sum + width + 2, 0);
    const lines = wrap(row.at(-1) ?? "", columns - indent, widthOf);
    return start.join("") + lines.join(`\n${" ".repeat(indent)}`);
  };
  return rows.map((row) => toLine(row).trimEnd()).join("\n");
}

function stdoutColumns(): number {
  return (isatty(1) && process.stdout.columns) || Number.POSITIVE_INFINITY;
}

/** Between words, unless there is no room for any; a word that is longer than the room stays whole. */
function wrap(cell: string, room: number, widthOf: (text: string) => number): string[] {
  if (room < minRoom || widthOf(cell) <= room) return [cell];
  const lines: string[] = [];
  for (const word of cell.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const minRoom = 20;

/** Loads the width table only for text beyond ASCII, such as Chinese, where a character takes two columns. */
async function findMeasure(rows: readonly (readonly string[])[]): Promise<(cell: string) => number> {
  if (!rows.some((row) => row.some(isBeyondAscii))) return (cell) => stripVTControlCharacters(cell).length;
  const { default: stringWidth } = await import("string-width");
  return (cell) => stringWidth(cell);
}

function isBeyondAscii(cell: string): boolean {
  return /[^\0-\x7f]/.test(cell);
}
