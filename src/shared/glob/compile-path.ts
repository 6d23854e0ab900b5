import { compileSegment, literalOf } from "./compile-segment.ts";
import { GlobError } from "./glob-error.ts";
import { anyNumber } from "./match-steps.ts";
import { matchNames } from "./name-pieces.ts";

export type PathTest = (path: string) => boolean;

/**
 * Compiles a pattern without braces into a test for paths. `**` matches any number of folders. With `anyDepth`, a pattern
 * without a slash matches a name in any folder.
 */
export function compilePath(pattern: string, { anyDepth = false } = {}): PathTest {
  const isAnchored = !anyDepth || pattern.slice(0, -1).includes("/");
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes(".."))
    throw new GlobError(`the pattern ${pattern} contains .., so it matches nothing`, {
      hint: "Give the folder to search as path.",
    });
  if (pattern.endsWith("/")) segments.push("**");
  if (!isAnchored) segments.unshift("**");
  // `src/**` means the contents of src, not src itself.
  if (segments.at(-1) === "**") segments.push("*");
  // One comparison rules out paths that are not even in the named folder.
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
  // In any folder: only the name matters.
  if (steps.length === 2 && steps[0] === anyNumber) return segments[1] === "*" ? () => true : lastMatches;
  // Most paths lack a name that the pattern needs; that is checked before they are split.
  const needed = segments.map(literalOf).find((name) => name !== undefined) ?? "";
  return (path) => path.includes(needed) && lastMatches(path) && matchNames(steps, path.split("/"));
}
