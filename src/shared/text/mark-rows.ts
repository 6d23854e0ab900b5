import { escapeLine } from "./escape-controls.ts";
import { showLookAlikes } from "./show-look-alikes.ts";

/**
 * Text of unknown origin as rows of a screen of this width. Each begins with a mark, so that no row can pass for a line
 * of ours: `| ` where a line of the text begins, and `↳ ` where it goes on. Nothing is left out: long runs of blanks and
 * of empty lines are written as their number.
 */
export function markRows(text: string, columns: number): string[] {
  return showLines(text).flatMap((line) =>
    wrapLine(line, columns - lineMark.length).map(
      (row, index) => `${index === 0 ? lineMark : goesOnMark}${row}`,
    ),
  );
}

/** A label of ours with text of others: in the same row if it surely fits there, else in marked rows below. */
export function labelRows(label: string, text: string, columns: number): string[] {
  const row = `${showLookAlikes(label)} ${showLine(text)}`;
  if (!text.includes("\n") && fitsIn(row, columns - 1)) return [row];
  return [...ownRows(label, columns), ...markRows(text, columns)];
}

/** A line of ours with printable names that others chose: where it does not fit, it goes on in marked rows. */
export function ownRows(line: string, columns: number): string[] {
  const [first = "", ...rest] = wrapLine(showLookAlikes(line), columns - goesOnMark.length);
  return [first, ...rest.map((row) => `${goesOnMark}${row}`)];
}

/** The columns of a screen whose width is not known. */
export const narrowColumns = 60;

/** The marks before the rows, for code that has to find the text again. */
export const lineMark = "  | ";
export const goesOnMark = "  ↳ ";

/** A line with everything in it visible, for a person who decides by it. */
export function showLine(line: string): string {
  return escapeLine(showLookAlikes(line))
    .replace(countLike, "\\u{5b}")
    .replace(longBlanks, ({ length }) => `[${length} spaces]`);
}

/** More than any indentation that is read as one. */
const longBlanks = / {25,}/g;
/** Text that would pass for one of our numbers. */
const countLike = /\[(?=\d{1,9} (?:spaces|empty lines)\])/g;

function showLines(text: string): string[] {
  const lines = text.split("\n");
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && lines[end] === "") end += 1;
    if (end - at > maxEmptyLines) {
      shown.push(`[${end - at} empty lines]`);
      at = end;
    } else {
      shown.push(showLine(lines[at] ?? ""));
      at += 1;
    }
  }
  return shown;
}

const maxEmptyLines = 3;

/**
 * Cuts a line of printable characters into rows that no screen of this width would break again: after a blank, unless
 * that would leave most of the row empty.
 */
function wrapLine(line: string, columns: number): string[] {
  const width = Math.max(columns, minColumns);
  const rows: string[] = [];
  let start = 0;
  let used = 0;
  let at = 0;
  let blank = { end: 0, used: 0 };
  for (const character of line) {
    const wide = columnsAtMost(character);
    if (used + wide > width) {
      const cut = blank.used > width / 2 ? blank : { end: at, used };
      rows.push(line.slice(start, cut.end));
      start = cut.end;
      used -= cut.used;
      blank = { end: 0, used: 0 };
    }
    used += wide;
    at += character.length;
    if (character === " ") blank = { end: at, used };
  }
  return [...rows, line.slice(start)];
}

const minColumns = 8;

/** Whether a line surely fits. */
export function fitsIn(line: string, columns: number): boolean {
  let used = 0;
  for (const character of line) used += columnsAtMost(character);
  return used <= columns;
}

/** Rather too many than too few: some terminals take two columns for `é` and `·` too. */
function columnsAtMost(character: string): number {
  return character.charCodeAt(0) < 0x80 ? 1 : 2;
}
