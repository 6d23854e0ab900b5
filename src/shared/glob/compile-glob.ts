import { compilePath, type PathTest } from "./compile-path.ts";
import { expandBraces } from "./expand-braces.ts";
import { GlobError } from "./glob-error.ts";

// The longest path that the kernel accepts.
const maxPatternCharacters = 4096;

/**
 * A test for paths relative to the search's folder. Does not use a library that makes regular expressions: patterns
 * come from a model, and a few dozen `*` would then block the whole process. With `bracketsToo`, brackets and braces also
 * stand for themselves: `app/[slug]/page.tsx` is a usual path.
 */
export function compileGlob(pattern: string, { anyDepth = false, bracketsToo = false } = {}): PathTest {
  if (pattern.length > maxPatternCharacters) {
    throw new GlobError(`the pattern is longer than ${maxPatternCharacters} characters`);
  }
  const { isNegated, rest } = takeNegation(pattern);
  const readings = new Set(expandBraces(rest));
  if (bracketsToo) readings.add(escapeBrackets(rest));
  const tests = [...readings].map((reading) => compilePath(reading, { anyDepth }));
  return (path) => tests.some((test) => test(path)) !== isNegated;
}

function takeNegation(pattern: string): { isNegated: boolean; rest: string } {
  const marks = /^!*/.exec(pattern)?.[0].length ?? 0;
  return { isNegated: marks % 2 === 1, rest: pattern.slice(marks) };
}

/** Braces have no meaning any more once they were to be expanded, so only brackets need escaping. */
function escapeBrackets(pattern: string): string {
  return pattern.replace(/\\.|\[/gs, (found) => (found === "[" ? "\\[" : found));
}
