import { createStarMatcher } from "../../../shared/glob/star-matcher.ts";

/** Tells whether a file's name is one of these, whatever its case; `*` stands for any characters. */
export function createNameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(
    patterns.filter((pattern) => !pattern.includes("*")).map((name) => name.toLowerCase()),
  );
  const loose = patterns
    .filter((pattern) => pattern.includes("*"))
    .map((pattern) => createStarMatcher(pattern.toLowerCase()));
  return (name) => {
    const folded = name.toLowerCase();
    return exact.has(folded) || loose.some((isAlike) => isAlike(folded));
  };
}
