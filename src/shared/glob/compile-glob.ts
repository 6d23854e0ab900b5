import { ToolError } from "../../tool/tool-error.ts";
import { compileSegment, type SegmentTest } from "./compile-segment.ts";
import { expandBraces } from "./expand-braces.ts";

export type PathTest = (path: string) => boolean;

// The kernel knows no longer path.
const maxPatternCharacters = 4096;

/**
 * A test for paths relative to where the search begins. Written here and not left to a library that makes regular
 * expressions: patterns come from a model, and a few dozen `*` would then hold up the whole process.
 */
export function compileGlob(pattern: string, { anyDepth = false } = {}): PathTest {
  if (pattern.length > maxPatternCharacters) {
    throw new ToolError("invalid-input", `the pattern is longer than ${maxPatternCharacters} characters`);
  }
  const { isNegated, rest } = takeNegation(pattern);
  const tests = expandBraces(rest).map((alternative) => compileAlternative(alternative, anyDepth));
  return (path) => tests.some((test) => test(path)) !== isNegated;
}

function takeNegation(pattern: string): { isNegated: boolean; rest: string } {
  const marks = /^!*/.exec(pattern)?.[0].length ?? 0;
  return { isNegated: marks % 2 === 1, rest: pattern.slice(marks) };
}

const anyFolders = Symbol("**");
type Step = SegmentTest | typeof anyFolders;

function compileAlternative(pattern: string, anyDepth: boolean): PathTest {
  const isAnchored = !anyDepth || pattern.slice(0, -1).includes("/");
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw leavesFolder(pattern);
  if (pattern.endsWith("/")) segments.push("**");
  if (!isAnchored) segments.unshift("**");
  // `src/**` is what is in src, not src itself.
  if (segments.at(-1) === "**") segments.push("*");
  const steps = segments.map((segment): Step => (segment === "**" ? anyFolders : compileSegment(segment)));
  const last = steps.at(-1);
  if (last === undefined || last === anyFolders) return () => false;
  const lastMatches = (path: string) => last(path.slice(path.lastIndexOf("/") + 1));
  // In any folder at all: the name alone decides.
  if (steps.length === 2 && steps[0] === anyFolders) return segments[1] === "*" ? () => true : lastMatches;
  return (path) => lastMatches(path) && matchSteps(steps, path.split("/"));
}

/** As in a segment: only the last `**` is ever tried again. */
function matchSteps(steps: readonly Step[], names: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let star: { step: number; at: number } | undefined;
  while (at < names.length || step < steps.length) {
    const current = steps[step];
    if (current === anyFolders) {
      step += 1;
      star = { step, at };
      continue;
    }
    if (current !== undefined && at < names.length && current(names[at]!)) {
      step += 1;
      at += 1;
      continue;
    }
    if (star === undefined || star.at >= names.length) return false;
    star.at += 1;
    step = star.step;
    at = star.at;
  }
  return true;
}

function leavesFolder(pattern: string): ToolError {
  return new ToolError("invalid-input", `the pattern ${pattern} goes up by .. and so finds nothing`, {
    hint: "Give the folder to look in as path.",
  });
}
