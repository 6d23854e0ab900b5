import { compileGlob } from "../../../shared/glob/compile-glob.ts";
import type { PathTest } from "../../../shared/glob/compile-path.ts";
import { GlobError } from "../../../shared/glob/glob-error.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** Compiles a caller's pattern into a test for paths; an invalid one is the caller's error. */
export function readGlob(pattern: string, options?: { readonly anyDepth: boolean }): PathTest {
  try {
    return compileGlob(pattern, options);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    const { message, hint } = error;
    throw new ToolError("invalid-input", message, { ...(hint !== undefined && { hint }) });
  }
}
