import { commonPrefixLength } from "./common-length.ts";

/** Moves every line of a text from one indentation to another. */
export type Reindent = (text: string) => string;

export interface IndentPair {
  /** Indentation of the line in the old text. */
  readonly wanted: string;
  /** Indentation of the line in the file. */
  readonly found: string;
}

/** The single shift that maps every wanted indentation to the one found, if there is one. */
export function findIndentShift(pairs: readonly IndentPair[]): Reindent | undefined {
  const changeIndent = addedPrefix(pairs) ?? removedPrefix(pairs) ?? convertedTabs(pairs);
  if (changeIndent === undefined) return undefined;
  return (text) =>
    text.replace(lineIndent, (indent: string, offset: number) =>
      isBlankLine(text, offset + indent.length) ? indent : changeIndent(indent),
    );
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

type ChangeIndent = (indent: string) => string;

const lineIndent = /(?<=^|[\r\n])[ \t]*/g;

function isBlankLine(text: string, end: number): boolean {
  return end === text.length || text[end] === "\n" || text[end] === "\r";
}

function addedPrefix(pairs: readonly IndentPair[]): ChangeIndent | undefined {
  const [first] = pairs;
  if (first === undefined || !first.found.endsWith(first.wanted)) return undefined;
  const prefix = first.found.slice(0, first.found.length - first.wanted.length);
  if (!pairs.every(({ wanted, found }) => found === prefix + wanted)) return undefined;
  return (indent) => prefix + indent;
}

function removedPrefix(pairs: readonly IndentPair[]): ChangeIndent | undefined {
  const turned = pairs.map(({ wanted, found }) => ({ wanted: found, found: wanted }));
  const prefix = addedPrefix(turned)?.("");
  if (prefix === undefined) return undefined;
  return (indent) => indent.slice(commonPrefixLength(indent, prefix));
}

/** For a text indented with tabs on one side and a constant number of spaces per tab on the other. */
function convertedTabs(pairs: readonly IndentPair[]): ChangeIndent | undefined {
  if (pairs.every(({ wanted, found }) => isAll(" ", wanted) && isAll("\t", found))) {
    const rule = findTabRule(
      pairs.map(({ wanted, found }) => ({ spaces: wanted.length, tabs: found.length })),
    );
    return rule && ((indent) => (isAll(" ", indent) ? toTabs(indent.length, rule) : indent));
  }
  if (pairs.every(({ wanted, found }) => isAll("\t", wanted) && isAll(" ", found))) {
    const rule = findTabRule(
      pairs.map(({ wanted, found }) => ({ spaces: found.length, tabs: wanted.length })),
    );
    return rule && ((indent) => (isAll("\t", indent) ? toSpaces(indent.length, rule) : indent));
  }
  return undefined;
}

function isAll(character: string, indent: string): boolean {
  return indent === character.repeat(indent.length);
}

/** `spaces = tabs * width + extra` for every line. */
interface TabRule {
  readonly width: number;
  readonly extra: number;
}

const minTabWidth = 2;
const maxTabWidth = 8;

function findTabRule(lines: readonly { spaces: number; tabs: number }[]): TabRule | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  const other = lines.find(({ tabs }) => tabs !== first.tabs);
  // With a single depth, shift and width cannot be told apart, so assume there is no shift.
  const width =
    other === undefined
      ? first.spaces / first.tabs
      : (other.spaces - first.spaces) / (other.tabs - first.tabs);
  const extra = first.spaces - first.tabs * width;
  const isTabWidth = Number.isInteger(width) && width >= minTabWidth && width <= maxTabWidth;
  if (!isTabWidth || extra % width !== 0) return undefined;
  return lines.every(({ spaces, tabs }) => spaces === tabs * width + extra) ? { width, extra } : undefined;
}

/** Spaces beyond whole tabs are kept, because they align something. */
function toTabs(spaces: number, { width, extra }: TabRule): string {
  const columns = Math.max(0, spaces - extra);
  return "\t".repeat(Math.floor(columns / width)) + " ".repeat(columns % width);
}

function toSpaces(tabs: number, { width, extra }: TabRule): string {
  return " ".repeat(Math.max(0, tabs * width + extra));
}
