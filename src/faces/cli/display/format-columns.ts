import { isatty } from "node:tty";
import { columnsOf } from "./cut-to-columns.ts";

/**
 * Aligns rows of cells in columns. The last cell of a row is neither padded nor cut; on a terminal, what does not fit goes
 * on below, between words, and where there is hardly any room beside the other cells, all of it does.
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
  const indentOf = (row: readonly string[]) =>
    widths.slice(0, row.length - 1).reduce((sum, width) => sum + width + 2, 0);
  const isCramped = (row: readonly string[]) => {
    const room = columns - indentOf(row);
    return room < minRoom && widthOf(row.at(-1) ?? "") > room;
  };
  const standsBelow = rows.some((row) => row.length > 1 && isCramped(row));
  const toLine = (row: readonly string[]) => {
    const start = row.slice(0, -1).map((cell, index) => `${pad(cell, widths[index] ?? 0)}  `);
    const last = row.at(-1) ?? "";
    if (standsBelow && start.length > 0) {
      const below = wrapWords(last, columns - belowIndent.length, widthOf);
      return [start.join("").trimEnd(), ...below].join(`\n${belowIndent}`);
    }
    const indent = indentOf(row);
    return start.join("") + wrapWords(last, columns - indent, widthOf).join(`\n${" ".repeat(indent)}`);
  };
  return rows.map((row) => toLine(row).trimEnd()).join("\n");
}

/** The rows in which every cell has a text. */
export function wholeRows(rows: readonly (readonly (string | undefined)[])[]): string[][] {
  return rows.flatMap((row) => {
    const cells = row.filter((cell) => cell !== undefined);
    return cells.length === row.length ? [cells] : [];
  });
}

/** Wraps lines between words; a text that stands beside a word and two spaces goes on beside them. */
export async function wrapText(text: string, columns: number = stdoutColumns()): Promise<string> {
  const lines = text.split("\n");
  const widthOf = await findMeasure([lines]);
  const wrapLine = (line: string): string => {
    if (widthOf(line) <= columns) return line;
    const [lead = ""] = /^ *(?:\S+ {2,})?/.exec(line) ?? [];
    return (
      lead +
      wrapWords(line.slice(lead.length), columns - lead.length, widthOf).join(`\n${" ".repeat(lead.length)}`)
    );
  };
  return lines.map(wrapLine).join("\n");
}

/** The width of the terminal that results are shown on; without one, there is no limit. */
export function stdoutColumns(): number {
  return (isatty(1) && process.stdout.columns) || Number.POSITIVE_INFINITY;
}

/** Wraps a cell between words; a word that is longer than the room stays whole. */
function wrapWords(cell: string, room: number, widthOf: (text: string) => number): string[] {
  if (widthOf(cell) <= room) return [cell];
  const lines: string[] = [];
  let width = Number.POSITIVE_INFINITY;
  for (const word of cell.split(" ")) {
    const wordWidth = widthOf(word);
    width += 1 + wordWidth;
    if (width <= room) lines[lines.length - 1] += ` ${word}`;
    else {
      lines.push(word);
      width = wordWidth;
    }
  }
  return lines;
}

/** The width of the terminal that questions are shown on. */
export function screenColumns(): number {
  return process.stderr.columns || usualColumns;
}

const usualColumns = 80;
const minRoom = 30;
const belowIndent = "    ";

/** Loads the width table only for text beyond ASCII, such as Chinese, where a character takes two columns. */
async function findMeasure(rows: readonly (readonly string[])[]): Promise<(cell: string) => number> {
  if (!rows.some((row) => row.some(isBeyondAscii))) return (cell) => withoutStyles(cell).length;
  const { default: stringWidth } = await import("string-width");
  const measure = (text: string): number => {
    if (!isBeyondAscii(text)) return text.length;
    // The library's search for escapes takes quadratic time.
    return text.length > maxExact ? columnsOf(text) : stringWidth(text, { countAnsiEscapeCodes: true });
  };
  return (cell) => measure(withoutStyles(cell));
}

/** No column is longer than this; finding whole characters takes a microsecond for each. */
const maxExact = 2000;

function isBeyondAscii(cell: string): boolean {
  return /[^\0-\x7f]/.test(cell);
}

/**
 * Takes from a text the colours that we gave it, and no other escapes: foreign text was made printable before, and
 * searching for every kind of escape, as Node and libraries do, takes quadratic time.
 */
export function withoutStyles(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}
