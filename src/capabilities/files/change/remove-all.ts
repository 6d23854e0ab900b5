import type { Tree } from "../tree/tree.ts";
import { walkTree } from "../tree/walk-tree.ts";

/** Removes something that only one change knows of, with everything in it. */
export async function removeAll(top: string, tree: Tree): Promise<void> {
  for (const { path, kind, mode } of await walkTree(tree, top, never)) {
    // A folder cannot be emptied without the right to write to it.
    if (kind === "directory" && (mode & 0o700) !== 0o700) await tree.setMode(path, mode | 0o700);
  }
  for (const { path } of (await walkTree(tree, top, never)).reverse()) await tree.remove(path);
}

const never = new AbortController().signal;
