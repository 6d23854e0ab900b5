import { posix } from "node:path";
import { compilePath, type PathTest } from "../../../shared/glob/compile-path.ts";
import { GlobError } from "../../../shared/glob/glob-error.ts";
import { readTokens } from "../../../shared/glob/read-tokens.ts";
import { findUnclear } from "./find-unclear.ts";
import { readingsOf } from "./path-readings.ts";
import { type Rule, RuleError } from "./rule.ts";

/**
 * Matches paths against a rule's pattern: a name covers that file, or that folder and everything in it; `*` stays within
 * one name.
 */
export function pathMatcher(pattern: string, where: string): NonNullable<Rule["matchesPath"]> {
  const normal = posix.normalize(pattern.trim());
  if (normal === ".." || normal.startsWith("../")) {
    throw new RuleError(`${where}: ${pattern} leads outside the workspace; write it as an absolute path`);
  }
  try {
    const matches = compile(normal);
    if (posix.isAbsolute(normal)) return ({ absolute }) => matches(absolute);
    return ({ relative }) => relative !== undefined && matches(relative);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new RuleError(`${where}: in ${JSON.stringify(pattern)}, ${error.message}`);
  }
}

function compile(normal: string): PathTest {
  const unclear = findUnclear(normal);
  if (unclear !== undefined) throw new GlobError(unclear);
  const path = normal.replace(/\/+$/, "");
  if (path === ".") return () => true;
  const isName = normal.endsWith("/") || !/[*?[]/.test(posix.basename(path));
  const glob = isName ? `${path}/**` : path;
  const tests = withFolder(glob).map(compileReadings);
  // A file may be named exactly like the pattern.
  return (tested) => tested === glob || tests.some((test) => test(tested));
}

/** In a rule, `folder/**` also matches the folder itself. */
function withFolder(glob: string): readonly string[] {
  const folder = glob.replace(/(?:\/\*\*)+$/, "");
  if (folder === glob || readTokens(folder).at(-1)?.kind === "stars") return [glob];
  return [glob, folder];
}

function compileReadings(glob: string): PathTest {
  const tests = readingsOf(glob).map((reading) => compilePath(reading));
  // `*` matches names inside the workspace or disk, not the workspace (`.`) or the disk's root itself.
  const isAmongNames = /^\/?(?:\*\*\/)*(?!\*\*\/)\.?\*/.test(glob);
  return (path) => {
    const inside = path.startsWith("/") ? path.slice(1) : path;
    if (isAmongNames && (inside === "" || inside === ".")) return false;
    return tests.some((test) => test(inside));
  };
}
