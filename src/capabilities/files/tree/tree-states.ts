import type { PathState } from "../../../kernel/events/index.ts";
import type { Changing } from "../change/changing.ts";
import { walkTree } from "./walk-tree.ts";

/** States by path, each folder before its content. */
export type TreeStates = ReadonlyMap<string, PathState>;

export interface Preserved {
  readonly path: string;
  readonly state: PathState;
  /**
   * Taken before the content was saved: a path that still has it may be removed. Undefined for folders, whose stamp
   * changes with their content.
   */
  readonly stamp: string | undefined;
}

/** The states of a path and everything in it; `preserve` also saves the contents for undo. */
export async function readTree(
  top: string,
  how: "state" | "preserve",
  { tree, signal }: Changing,
): Promise<Preserved[]> {
  const read: Preserved[] = [];
  for (const { path, kind, stamp } of await walkTree(tree, top, signal)) {
    signal.throwIfAborted();
    read.push({ path, state: await tree[how](path), stamp: kind === "directory" ? undefined : stamp });
  }
  return read;
}
