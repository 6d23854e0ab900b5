import type { PathState } from "../../../kernel/events/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Tree } from "./tree.ts";

/** The result of work; undefined if it is refused with a ToolError. */
export async function ifPossible<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Undefined if the path is a special file such as a socket, or a folder above it is no longer a folder. */
export function stateIfPlain(tree: Tree, path: string): Promise<PathState | undefined> {
  return ifPossible(() => tree.state(path));
}
