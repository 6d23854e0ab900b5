import { missing } from "../../../events/file-change.ts";
import { errorCodeOf } from "../../../policy/paths/file-error.ts";
import { readTreeStates, type TreeStates } from "../tree/tree-states.ts";
import type { Changing } from "./changing.ts";
import { copyTree } from "./copy-path.ts";
import { type PathReplacement, refuseReplacement, replacePath } from "./replace-path.ts";

export async function movePath(paths: PathReplacement, changing: Changing): Promise<void> {
  await refuseReplacement(paths, changing);
  const left = await readTreeStates(paths.from, changing);
  await replacePath(paths, () => relocate(paths, left, changing), changing);
  for (const [path, before] of [...left].reverse()) {
    changing.freshness.forget(path);
    changing.report({ path, before, after: missing });
  }
}

async function relocate(
  { from, to }: PathReplacement,
  left: TreeStates,
  changing: Changing,
): Promise<TreeStates> {
  try {
    await changing.tree.rename(from, to);
    return new Map([...left].map(([path, state]) => [to + path.slice(from.length), state]));
  } catch (error) {
    if (errorCodeOf(error) !== "EXDEV") throw error;
    return moveAcross(from, to, changing);
  }
}

/** Moves to another disk: the original is removed once the copy is complete. */
async function moveAcross(from: string, to: string, { tree, signal }: Changing): Promise<TreeStates> {
  const made = await copyTree(from, to, { tree, signal });
  for (const destination of [...made.keys()].reverse()) {
    await tree.remove(from + destination.slice(to.length));
  }
  return made;
}
