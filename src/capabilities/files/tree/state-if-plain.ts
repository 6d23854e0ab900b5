import type { PathState } from "../../../kernel/events/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Tree } from "./tree.ts";

/** Undefined if the path is a special file such as a socket, or a folder above it is no longer a folder. */
export async function stateIfPlain(tree: Tree, path: string): Promise<PathState | undefined> {
  try {
    return await tree.state(path);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
