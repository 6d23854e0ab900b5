import { readdir } from "node:fs/promises";
import { anyNumber } from "../../../shared/glob/match-steps.ts";
import { compilePieces, type NamePiece, type NameTest } from "../../../shared/glob/name-pieces.ts";

/**
 * Every path that a shell pattern may match now, and possibly a few more; undefined if there are too many. A pattern that
 * matches nothing stands for itself, as in bash.
 */
export async function expandGlob(pattern: string, { maxPaths = 1000 } = {}): Promise<string[] | undefined> {
  let paths = ["/"];
  for (const segment of pattern.split("/").filter((part) => part !== "")) {
    if (!isPattern(segment)) {
      paths = paths.map((path) => below(path, withoutEscapes(segment)));
      continue;
    }
    const found: string[] = [];
    const mayMatch = createMayMatch(segment);
    for (const path of paths) {
      for (const name of await namesIn(path)) if (mayMatch(name)) found.push(below(path, name));
      if (found.length > maxPaths) return undefined;
    }
    paths = found;
  }
  return paths.length === 0 ? [withoutEscapes(pattern)] : paths;
}

/** A text as a pattern that matches just this text. */
export function escapePattern(text: string): string {
  return text.replace(/[*?[\]\\]/g, "\\$&");
}

export function withoutEscapes(pattern: string): string {
  return pattern.replace(/\\(.)/gs, "$1");
}

/** Whether it has a special character that no backslash takes its meaning from. */
export function isPattern(text: string): boolean {
  return /[*?[]/.test(text.replace(/\\./gs, ""));
}

/** Keeps `..` unresolved: after a link it does not lead back. Walking the path resolves it correctly. */
function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

const special = /[*?[\\]/;

/** May be true of more names than bash matches, never of fewer: most brackets count as any one character. */
function createMayMatch(pattern: string): NameTest {
  const head = pattern.slice(0, pattern.search(special));
  const tail = pattern.slice(Math.max(...[..."*?[]\\"].map((each) => pattern.lastIndexOf(each))) + 1);
  const isAlike = compilePieces(readPieces(pattern));
  return (name) => {
    // As in bash, neither wildcards nor brackets match a leading dot.
    if (name.startsWith(".") && !/^\\?\./.test(pattern)) return false;
    // What one character is depends on the locale.
    return isAscii.test(name) ? isAlike(name) : name.startsWith(head) && name.endsWith(tail);
  };
}

const isAscii = /^[\0-\x7f]*$/;

function readPieces(pattern: string): NamePiece[] {
  const pieces: NamePiece[] = [];
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at]!;
    const end = character === "[" ? endOfBracket(pattern, at) : at + (character === "\\" ? 2 : 1);
    // Unclosed, it may be a plain character.
    if (end === undefined) return [...pieces, anyNumber];
    if (character === "*") pieces.push(anyNumber);
    else if (character === "?" || character === "[") pieces.push(testOfOne(pattern.slice(at, end)));
    else pieces.push(character === "\\" ? (pattern[at + 1] ?? character) : character);
    at = end;
  }
  return pieces;
}

/** The characters of a range depend on the locale, but those of a list do not. */
function testOfOne(written: string): (character: string) => boolean {
  const listed = /^\[([^-!^\\[\]]+)\]$/.exec(written)?.[1];
  return (character) => listed?.includes(character) ?? true;
}

/** The position after a bracket; undefined if it is not closed, or may match more than one character. */
function endOfBracket(pattern: string, start: number): number | undefined {
  const first = start + (/[!^]/.test(pattern[start + 1] ?? "") ? 2 : 1);
  for (let at = first; at < pattern.length; at += 1) {
    if (pattern[at] === "]" && at > first) return at + 1;
    if (pattern[at] === "\\") at += 1;
    // `[:alpha:]`, `[.x.]` and `[=x=]` have their own brackets.
    else if (pattern[at] === "[" && /[:.=]/.test(pattern[at + 1] ?? "")) return undefined;
  }
  return undefined;
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
