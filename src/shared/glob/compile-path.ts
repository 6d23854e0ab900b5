import { compileSegment, literalOf } from "./compile-segment.ts";
import { GlobError } from "./glob-error.ts";
import { anyNumber, matchSteps } from "./match-steps.ts";
import type { NameTest } from "./name-pieces.ts";

export type PathTest = (path: string) => boolean;

/**
 * A test for paths by a pattern whose braces have been expanded: name by name, `**` for any number of folders. At any depth,
 * a pattern without a slash means a name in whatever folder.
 */
export function compilePath(pattern: string, { anyDepth = false } = {}): PathTest {
  const isAnchored = !anyDepth || pattern.slice(0, -1).includes("/");
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw leavesFolder(pattern);
  if (pattern.endsWith("/")) segments.push("**");
  if (!isAnchored) segments.unshift("**");
  // `src/**` is what is in src, not src itself.
  if (segments.at(-1) === "**") segments.push("*");
  // What is not even in the folder that is named is told by one comparison.
  const names = segments.map(literalOf);
  const plain = names.includes(undefined) ? names.indexOf(undefined) : names.length;
  if (plain === names.length) {
    const only = names.join("/");
    return (path) => path === only;
  }
  const folder = names
    .slice(0, plain)
    .map((name) => `${name}/`)
    .join("");
  const isBelow = compileSteps(segments.slice(plain));
  return (path) => path.startsWith(folder) && isBelow(path.slice(folder.length));
}

function compileSteps(segments: readonly string[]): PathTest {
  const steps = segments.map((segment) => (segment === "**" ? anyNumber : compileSegment(segment)));
  const last = steps.at(-1);
  if (last === undefined || last === anyNumber) return () => false;
  const lastMatches = (path: string) => last(path.slice(path.lastIndexOf("/") + 1));
  // In any folder at all: the name alone decides.
  if (steps.length === 2 && steps[0] === anyNumber) return segments[1] === "*" ? () => true : lastMatches;
  // Most paths lack a name that is asked for, which is told before they are taken apart.
  const needed = segments.map(literalOf).find((name) => name !== undefined) ?? "";
  return (path) => path.includes(needed) && lastMatches(path) && matchNames(steps, path.split("/"));
}

function matchNames(steps: readonly (NameTest | typeof anyNumber)[], names: readonly string[]): boolean {
  return matchSteps(steps, names.length, (matches, at) => (matches(names[at]!) ? 1 : 0));
}

function leavesFolder(pattern: string): GlobError {
  return new GlobError(`the pattern ${pattern} goes up by .. and so finds nothing`, {
    hint: "Give the folder to look in as path.",
  });
}
