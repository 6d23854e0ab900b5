/** Converts the indentation of one line; undefined if it cannot be shifted that way. */
export type IndentShift = (indent: string) => string | undefined;

export interface IndentPair {
  /** Indentation of the line in the old text. */
  readonly wanted: string;
  /** Indentation of the line in the file. */
  readonly found: string;
}

/** The single shift that maps every wanted indentation to the one found, if there is one. */
export function findIndentShift(pairs: readonly IndentPair[]): IndentShift | undefined {
  return addedPrefix(pairs) ?? removedPrefix(pairs) ?? convertedTabs(pairs);
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

function addedPrefix(pairs: readonly IndentPair[]): IndentShift | undefined {
  const [first] = pairs;
  if (first === undefined || !first.found.endsWith(first.wanted)) return undefined;
  const prefix = first.found.slice(0, first.found.length - first.wanted.length);
  if (!pairs.every(({ wanted, found }) => found === prefix + wanted)) return undefined;
  return (indent) => prefix + indent;
}

function removedPrefix(pairs: readonly IndentPair[]): IndentShift | undefined {
  const turned = pairs.map(({ wanted, found }) => ({ wanted: found, found: wanted }));
  const prefix = addedPrefix(turned)?.("");
  if (prefix === undefined) return undefined;
  return (indent) => (indent.startsWith(prefix) ? indent.slice(prefix.length) : undefined);
}

/** For a text indented with tabs on one side and a constant number of spaces per tab on the other. */
function convertedTabs(pairs: readonly IndentPair[]): IndentShift | undefined {
  const ruleFrom = (spaces: keyof IndentPair, tabs: keyof IndentPair) =>
    pairs.every((pair) => isAll(" ", pair[spaces]) && isAll("\t", pair[tabs]))
      ? findTabRule(pairs.map((pair) => ({ spaces: pair[spaces].length, tabs: pair[tabs].length })))
      : undefined;
  const tabsInFile = ruleFrom("wanted", "found");
  if (tabsInFile !== undefined)
    return (indent) => (isAll(" ", indent) ? toTabs(indent.length, tabsInFile) : undefined);
  const spacesInFile = ruleFrom("found", "wanted");
  return spacesInFile && ((indent) => toSpaces(indent, spacesInFile));
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
function toTabs(spaces: number, { width, extra }: TabRule): string | undefined {
  const columns = spaces - extra;
  if (columns < 0) return undefined;
  return "\t".repeat(Math.floor(columns / width)) + " ".repeat(columns % width);
}

function toSpaces(indent: string, { width, extra }: TabRule): string | undefined {
  const [, tabs = "", spaces] = /^(\t*)( *)$/.exec(indent) ?? [];
  const columns = tabs.length * width + extra;
  return spaces === undefined || columns < 0 ? undefined : " ".repeat(columns) + spaces;
}
