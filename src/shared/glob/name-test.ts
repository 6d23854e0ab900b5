import { foldName } from "./fold-name.ts";
import { createStarMatcher, type NameTest } from "./name-pieces.ts";

/**
 * Tests whether a file's name is one of these, in any spelling: ignoring case, or as the most lenient file system would
 * read it. `*` stands for any characters. `!name` excepts exactly this spelling of a name.
 */
export function createNameTest(patterns: readonly string[]): NameTest {
  const wanted = patterns.filter((pattern) => !isException(pattern)).map((pattern) => pattern.toLowerCase());
  const excepted = new Set(patterns.filter(isException).map((pattern) => pattern.slice(1)));
  const isOther = createFirstLook(wanted);
  const isWanted = oneOf(wanted);
  return (name) => {
    if (isOther(name) || excepted.has(name)) return false;
    const written = name.toLowerCase();
    if (isWanted(written)) return true;
    const folded = foldName(name);
    return folded !== written && isWanted(folded);
  };
}

/** Whether a pattern of a name test is an exception. */
export function isException(pattern: string): boolean {
  return pattern.startsWith("!");
}

/**
 * Most names are plain, so that folding would only change their case, and cannot match by their first and last character
 * alone. One regular expression rules them out, which matters because a search tests every file it finds.
 */
function createFirstLook(patterns: readonly string[]): NameTest {
  const heads = patterns.filter((pattern) => !pattern.startsWith("*")).map((pattern) => pattern.slice(0, 1));
  const tails = patterns.filter((pattern) => pattern.startsWith("*")).map((pattern) => pattern.slice(-1));
  // With a star at the end, the last character says nothing.
  if (tails.includes("*")) return () => false;
  const expression = new RegExp(`^${noneOf(heads)}[\\w.-]*${noneOf(tails)}[\\w-]$`, "i");
  return (name) => expression.test(name);
}

function noneOf(characters: readonly string[]): string {
  return `(?![${characters.join("").replace(/[\\\]^-]/g, "\\$&")}])`;
}

function oneOf(patterns: readonly string[]): NameTest {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("*")));
  const loose = patterns.filter((pattern) => pattern.includes("*")).map(createStarMatcher);
  return (name) => exact.has(name) || loose.some((isAlike) => isAlike(name));
}
