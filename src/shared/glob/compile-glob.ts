import { compilePath, type PathTest } from "./compile-path.ts";
import { expandBraces } from "./expand-braces.ts";
import { GlobError } from "./glob-error.ts";

// The longest path that the kernel accepts.
const maxPatternCharacters = 4096;

/**
 * A test for paths relative to the search's folder. Does not use a library that makes regular expressions: patterns
 * come from a model, and a few dozen `*` would then block the whole process.
 */
export function compileGlob(pattern: string, { anyDepth = false } = {}): PathTest {
  if (pattern.length > maxPatternCharacters) {
    throw new GlobError(`the pattern is longer than ${maxPatternCharacters} characters`);
  }
  const { isNegated, rest } = takeNegation(pattern);
  const tests = expandBraces(rest).map((alternative) => compilePath(alternative, { anyDepth }));
  return (path) => tests.some((test) => test(path)) !== isNegated;
}

function takeNegation(pattern: string): { isNegated: boolean; rest: string } {
  const marks = /^!*/.exec(pattern)?.[0].length ?? 0;
  return { isNegated: marks % 2 === 1, rest: pattern.slice(marks) };
}
