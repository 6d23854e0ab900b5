import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { posix } from "node:path";
import { compilePath, type PathTest } from "../../../shared/glob/compile-path.ts";
import { GlobError } from "../../../shared/glob/glob-error.ts";
import { readTokens } from "../../../shared/glob/read-tokens.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { trimEndOf } from "../../../shared/text/trim-end-of.ts";
import { findUnclear } from "./find-unclear.ts";
import { keysOf, type PathKey, rarestOf, readingsOf } from "./path-readings.ts";
import { type PathMatcher, RuleError, type RulePath } from "./rule.ts";

/**
 * Matches paths against a rule's patterns, which are those of `.gitignore`: a name without a slash is meant in every
 * folder, any other path from the workspace's root; `//` begins an absolute path and `~/` one in the home folder. A name
 * covers that file, or that folder and everything in it; `*` stays within one name. Commas separate patterns.
 */
export function pathMatcher(
  text: string,
  where: string,
  { homes = [homedir()] }: { homes?: readonly string[] } = {},
): PathMatcher {
  const patterns = splitPatterns(text);
  const tests = patterns.map((pattern) => compileAnchored(pattern, { where, homes }));
  if (patterns[0] === text.trim()) return tests[0]!;
  const all = [...tests, asOnePattern(text.trim(), { where, homes })];
  const matches = withKeys((path: RulePath) => all.some((test) => test(path)), all);
  return Object.assign(matches, { names: (path: RulePath) => all.some((test) => test.names?.(path)) });
}

/** A test that matches what one of the others matches has all of their keys. */
function withKeys<Test extends (path: never) => boolean>(
  test: Test,
  parts: readonly { readonly keys?: readonly PathKey[] }[],
): Test & Pick<PathMatcher, "keys"> {
  const keys = parts.map((part) => part.keys);
  return keys.every((each) => each !== undefined) ? Object.assign(test, { keys: keys.flat() }) : test;
}

/** The whole text as one pattern: a name may contain a comma, and then the rule is about that name as well. */
function asOnePattern(text: string, place: { where: string; homes: readonly string[] }): PathMatcher {
  try {
    return compileAnchored(text, place);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return withKeys(() => false, []);
  }
}

/** The home folder, and where it really is: rules match real paths, and it may be a link. */
export async function homeFolders(home = homedir()): Promise<readonly string[]> {
  return [...new Set([home, await realpath(home).catch(() => home)])];
}

function compileAnchored(
  pattern: string,
  { where, homes }: { where: string; homes: readonly string[] },
): PathMatcher {
  const { from, rest } = anchorOf(pattern);
  const normal = posix.normalize(rest);
  if (normal === ".." || normal.startsWith("../")) {
    throw new RuleError(
      `${where}: ${pattern} leads outside ${folderNames[from]}; write it as an absolute path, which begins with //`,
    );
  }
  try {
    const matches = compile(normal, from === "anywhere");
    const at = anchored(from, homes);
    const test = withKeys(at(matches), [matches]);
    const isSpelledOut = from !== "anywhere" && !/[*?[\]{}\\]/.test(normal);
    return isSpelledOut ? Object.assign(test, { names: at((tested) => tested === normal) }) : test;
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new RuleError(`${where}: in ${JSON.stringify(pattern)}, ${error.message}`);
  }
}

/** Has a test look at paths as seen from where a pattern begins. */
function anchored(from: Anchor, homes: readonly string[]): (test: PathTest) => PathMatcher {
  if (from === "disk")
    return (test) =>
      ({ absolute }) =>
        test(absolute.slice(1) || ".");
  if (from === "home")
    return (test) =>
      ({ absolute }) =>
        homes.some((home) => isIn(home, absolute, test));
  return (test) =>
    ({ relative }) =>
      relative !== undefined && test(relative);
}

type Anchor = "disk" | "home" | "workspace" | "anywhere";

const folderNames: Record<Anchor, string> = {
  disk: "the disk",
  home: "the home folder",
  workspace: "the workspace",
  anywhere: "the workspace",
};

function anchorOf(pattern: string): { from: Anchor; rest: string } {
  if (pattern.startsWith("//")) return { from: "disk", rest: relativeText(pattern) };
  if (pattern === "~" || pattern.startsWith("~/"))
    return { from: "home", rest: relativeText(pattern.slice(1)) };
  const isAnchored = pattern === "." || trimEndOf(pattern, "/").includes("/") || pattern.startsWith("/");
  return { from: isAnchored ? "workspace" : "anywhere", rest: relativeText(pattern) };
}

function relativeText(pattern: string): string {
  return pattern.replace(/^\/+/, "") || ".";
}

function isIn(folder: string, absolute: string, matches: PathTest): boolean {
  const inside = relativeInside(folder, absolute);
  return inside !== undefined && matches(inside);
}

function compile(normal: string, isAnywhere: boolean): PathTest & Pick<PathMatcher, "keys"> {
  const unclear = findUnclear(normal);
  if (unclear !== undefined) throw new GlobError(unclear);
  const path = trimEndOf(normal, "/");
  if (path === ".") return () => true;
  const isName = normal.endsWith("/") || !/[*?[]/.test(posix.basename(path));
  const below = isName ? `${path}/**` : path;
  const glob = isAnywhere && path !== "**" ? `**/${below}` : below;
  const globs = withFolder(glob);
  const tests = globs.map(compileReadings);
  // A file may be named exactly like the pattern.
  const matches = (tested: string) => tested === below || tests.some((test) => test(tested));
  const exactly = { keys: [{ name: rarestOf(below.split("/")) }] };
  return withKeys(matches, [exactly, ...globs.map((each) => asPart(keysOf(each)))]);
}

function asPart(keys: readonly PathKey[] | undefined): { keys?: readonly PathKey[] } {
  return keys === undefined ? {} : { keys };
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
  const isAmongNames = /^(?:\*\*\/)*(?!\*\*\/)\.?\*/.test(glob);
  return (path) => !(isAmongNames && path === ".") && tests.some((test) => test(path));
}

/** The patterns of a rule such as `Edit(src/**, test/**)`. A comma in braces or after a `\` separates nothing. */
export function splitPatterns(text: string): readonly string[] {
  const patterns = [""];
  let depth = 0;
  for (const { kind, text: part } of readTokens(text)) {
    if (part === "{") depth += 1;
    if (part === "}" && depth > 0) depth -= 1;
    if (kind === "character" && part === "," && depth === 0) patterns.push("");
    else patterns[patterns.length - 1] += part;
  }
  // A `{` that is never closed is reported with the whole text.
  if (depth > 0) return [text.trim()];
  const named = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "");
  return named.length > 0 ? named : [text.trim()];
}
