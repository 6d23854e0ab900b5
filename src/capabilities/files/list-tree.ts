import { relative } from "node:path";
import type { ListTree } from "../../kernel/policy/index.ts";
import { type ErrorCode, ToolError } from "../../tool/tool-error.ts";
import { listDirectory } from "./read/list-directory.ts";
import type { ReadableTree } from "./tree/tree.ts";

/** Lists every path in a folder, so that policy can decide on the folder as a whole. */
export function listTree(tree: ReadableTree): ListTree {
  return async ({ canonical }, signal) => {
    const options = { recursive: true, maxEntries: Number.POSITIVE_INFINITY, signal, tree };
    try {
      const { entries } = await listDirectory(canonical, { ...options, nameOf: (path) => path });
      return entries.map(({ path }) => relative(canonical, path));
    } catch (error) {
      if (error instanceof ToolError && noFolder.has(error.code)) return [];
      throw error;
    }
  };
}

const noFolder: ReadonlySet<ErrorCode> = new Set([
  "not-a-directory",
  "not-a-file",
  "not-found",
  "outside-workspace",
]);
