import { compileGlob } from "../../shared/glob/compile-glob.ts";
import type { PathTest } from "../../shared/glob/compile-path.ts";
import { GlobError } from "../../shared/glob/glob-error.ts";
import { defined } from "../../shared/options/defined.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** Compiles a caller's pattern for paths below the searched folder. */
export function readGlob(pattern: string): PathTest {
  return readAs("pattern", () => compileGlob(pattern, { bracketsToo: true }));
}

/** Compiles a filter for names: without a slash it matches at any depth. */
export function readFilter(glob: string): PathTest {
  return readAs("glob", () => compileGlob(glob, { anyDepth: true, bracketsToo: true }));
}

/** An invalid pattern is the caller's error. */
function readAs(parameter: string, compile: () => PathTest): PathTest {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    const { message, hint } = error;
    throw new ToolError("invalid-input", `$.${parameter}: ${message}`, defined({ hint }));
  }
}
