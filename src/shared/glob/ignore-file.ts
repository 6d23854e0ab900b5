import { anyNumber } from "./match-steps.ts";
import { compilePieces, matchNames, type NamePiece, type NameTest } from "./name-pieces.ts";

export type IgnoreRule = NonNullable<ReturnType<typeof readRule>>;

/**
 * Reads an ignore file as git does, quirks included, and byte by byte: to git, a letter outside ASCII is several
 * characters. A test takes time in proportion to pattern × path, whatever the pattern; libraries that make regular
 * expressions of the lines can be hung by one of them.
 */
export function readIgnoreFile(text: string): readonly IgnoreRule[] {
  return toByteText(text.replace(/^\uFEFF/, ""))
    .split("\n")
    .flatMap((line) => readRule(withoutReturn(line)) ?? []);
}

/** One character per byte of the text's UTF-8 form. */
export function toByteText(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Removes a carriage return, also at the very end of the file, where git adds the missing line feed. */
function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** One pattern of an ignore file, for paths relative to the file's folder, as `toByteText` returns them. */
function readRule(line: string) {
  if (line === "" || line.startsWith("#")) return undefined;
  const trimmed = withoutTrailingSpaces(line);
  const isNegated = trimmed.startsWith("!");
  const written = isNegated ? trimmed.slice(1) : trimmed;
  // Such a pattern matches folders only.
  const isForFolders = written.endsWith("/");
  const pattern = isForFolders ? written.slice(0, -1) : written;
  return { isNegated, isForFolders, matches: compileRule(pattern) };
}

/** Spaces before the end of the line do not count, unless the first of them is escaped. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === "\\") {
      at += 1;
      // An escape without a character: git leaves the line as it is.
      if (at === line.length) return line;
      end = at + 1;
    } else if (line[at] !== " ") end = at + 1;
  }
  return line.slice(0, end);
}

function compileRule(pattern: string): (path: string) => boolean {
  // Without a slash, the pattern is for a name in any folder.
  if (!pattern.includes("/")) {
    const matches = compileName(pattern, 0, pattern.length);
    return (path) => matches(path.slice(path.lastIndexOf("/") + 1));
  }
  const anchored = pattern.startsWith("/") ? pattern.slice(1) : pattern;
  const special = anchored.search(/[*?[\\]/);
  if (special === -1) return (path) => path === anchored;
  const literal = anchored.slice(0, special);
  // Git compares the plain beginning first, so that `**` right after it counts as if a slash were before it.
  const steps = compileFolders(anchored.slice(special));
  if (steps === undefined) return () => false;
  return (path) => path.startsWith(literal) && matchNames(steps, path.slice(special).split("/"));
}

type FolderStep = NameTest | typeof anyNumber;

/** Undefined for a pattern that matches nothing. */
function compileFolders(pattern: string): FolderStep[] | undefined {
  const parts = splitFolders(pattern);
  if (parts === undefined) return undefined;
  const steps: FolderStep[] = [];
  for (const { start, end } of parts) {
    const isAnyNumber = end - start > 1 && isOnlyStars(pattern, start, end);
    steps.push(isAnyNumber ? anyNumber : compileName(pattern, start, end));
    // Before an escaped slash, git takes `**` for at least one folder.
    if (isAnyNumber && pattern[end] === "\\") steps.push(() => true);
  }
  // `a/**` is everything inside of a, and not a itself.
  if (steps.length > 1 && steps.at(-1) === anyNumber) steps.push(() => true);
  return steps;
}

function isOnlyStars(pattern: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (pattern[at] !== "*") return false;
  return true;
}

/** Splits a pattern at its slashes. A slash in a class does not count, and an escaped one does. */
function splitFolders(pattern: string): { start: number; end: number }[] | undefined {
  const parts: { start: number; end: number }[] = [];
  let start = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "[") {
      const found = readByteClass(pattern, at);
      if (found === undefined) return undefined;
      at = found.end;
    } else if (pattern[at] === "/") {
      parts.push({ start, end: at });
      start = at + 1;
    } else if (pattern[at] === "\\") {
      if (pattern[at + 1] === "/") {
        parts.push({ start, end: at });
        start = at + 2;
      }
      at += 1;
    }
  }
  return [...parts, { start, end: pattern.length }];
}

/** A test for one name. A pattern with a class that is not closed, or with nothing to escape, matches no name. */
function compileName(pattern: string, start: number, end: number): NameTest {
  const pieces: NamePiece[] = [];
  let literal = "";
  const add = (piece: CharacterTest | typeof anyNumber) => {
    if (literal !== "") pieces.push(literal);
    literal = "";
    // Several stars in a row are one.
    if (piece !== anyNumber || pieces.at(-1) !== anyNumber) pieces.push(piece);
  };
  for (let at = start; at < end; at += 1) {
    const character = pattern[at]!;
    if (character === "*") add(anyNumber);
    else if (character === "?") add(() => true);
    else if (character === "[") {
      const found = readByteClass(pattern, at);
      if (found === undefined || found.end >= end) return () => false;
      add(found.test);
      at = found.end;
    } else if (character === "\\") {
      at += 1;
      if (at >= end) return () => false;
      literal += pattern[at];
    } else literal += character;
  }
  if (literal !== "") pieces.push(literal);
  return compilePieces(pieces);
}

type CharacterTest = (character: string) => boolean;

/** The class that begins at `start`, as git reads it; undefined if it is not closed or names an unknown kind. */
function readByteClass(
  pattern: string,
  start: number,
): { readonly end: number; readonly test: CharacterTest } | undefined {
  let at = start + 1;
  const isNegated = pattern[at] === "!" || pattern[at] === "^";
  if (isNegated) at += 1;
  const members: CharacterTest[] = [];
  // What a range may begin with: the member before, unless that was a range or a kind.
  let previous: string | undefined;
  for (let isFirst = true; isFirst || pattern[at] !== "]"; at += 1) {
    isFirst = false;
    let member = pattern[at];
    if (member === "\\") {
      at += 1;
      member = pattern[at];
    } else if (
      member === "-" &&
      previous !== undefined &&
      at + 1 < pattern.length &&
      pattern[at + 1] !== "]"
    ) {
      at += pattern[at + 1] === "\\" ? 2 : 1;
      const [from, to] = [previous, pattern[at]];
      if (to === undefined) return undefined;
      members.push((character) => from <= character && character <= to);
      previous = undefined;
      continue;
    } else if (member === "[" && pattern[at + 1] === ":") {
      const close = pattern.indexOf("]", at + 2);
      if (close === -1) return undefined;
      if (close > at + 2 && pattern[close - 1] === ":") {
        const kind = kinds.get(pattern.slice(at + 2, close - 1));
        if (kind === undefined) return undefined;
        members.push((character) => kind.test(character));
        at = close;
        previous = undefined;
        continue;
      }
    }
    if (member === undefined) return undefined;
    const only = member;
    members.push((character) => character === only);
    previous = only;
  }
  return { end: at, test: (character) => members.some((isMember) => isMember(character)) !== isNegated };
}

/** The kinds of characters that a class may name, of ASCII only. */
const kinds: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[A-Za-z0-9]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  ["cntrl", /[\x00-\x1f\x7f]/],
  ["digit", /[0-9]/],
  ["graph", /[\x21-\x7e]/],
  ["lower", /[a-z]/],
  ["print", /[\x20-\x7e]/],
  ["punct", /[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/],
  ["space", /[\t-\r ]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9A-Fa-f]/],
]);
