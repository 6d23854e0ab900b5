import type { PathState } from "../../../kernel/events/index.ts";
import type { Changing } from "../change/changing.ts";
import { walkTree } from "./walk-tree.ts";

/** States by path, each folder before its content. */
export type TreeStates = ReadonlyMap<string, PathState>;

export async function readTreeStates(top: string, { tree, signal }: Changing): Promise<TreeStates> {
  const states = new Map<string, PathState>();
  for (const { path } of await walkTree(tree, top, signal)) {
    signal.throwIfAborted();
    states.set(path, await tree.state(path));
  }
  return states;
}

export interface Preserved {
  readonly path: string;
  readonly state: PathState;
  /**
   * Taken before the content was saved: a path that still has it may be removed. Undefined for folders, whose stamp
   * changes with their content.
   */
  readonly stamp: string | undefined;
}

/** Saves everything for undo, and returns the states. */
export async function preserveTree(top: string, { tree, signal }: Changing): Promise<Preserved[]> {
  const preserved: Preserved[] = [];
  for (const { path, kind, stamp } of await walkTree(tree, top, signal)) {
    signal.throwIfAborted();
    const state = await tree.preserve(path);
    preserved.push({ path, state, stamp: kind === "directory" ? undefined : stamp });
  }
  return preserved;
}
