import { missing } from "../../../events/file-change.ts";
import { errorCodeOf } from "../../../policy/paths/file-error.ts";
import { readTreeStates, type TreeStates } from "../tree/tree-states.ts";
import type { Changing } from "./changing.ts";
import { copyTree } from "./copy-path.ts";
import { type PathReplacement, refuseReplacement, replacePath } from "./replace-path.ts";

export async function movePath(paths: PathReplacement, changing: Changing): Promise<void> {
  await refuseReplacement(paths, changing);
  const { kind, stamp } = await changing.tree.look(paths.from);
  const left = await readTreeStates(paths.from, changing);
  // A folder's stamp changes with its content, and what somebody changes in it is moved with it.
  const moved = kind === "directory" ? {} : { from: stamp };
  await replacePath(paths, (to) => relocate(paths, left, { ...changing, seen: { ...moved, to } }), changing);
  for (const [path, before] of [...left].reverse()) {
    changing.freshness.forget(path);
    changing.report({ path, before, after: missing });
  }
}

async function relocate(
  { from, to }: PathReplacement,
  left: TreeStates,
  changing: Changing & { seen: { from?: string; to: string } },
): Promise<TreeStates> {
  try {
    await changing.tree.rename(from, to, changing.seen);
    return new Map([...left].map(([path, state]) => [to + path.slice(from.length), state]));
  } catch (error) {
    if (errorCodeOf(error) !== "EXDEV") throw error;
    return moveAcross(from, to, changing);
  }
}

/** Moves to another disk: the original is removed once the copy is complete. */
async function moveAcross(
  from: string,
  to: string,
  { tree, signal, seen }: Changing & { seen: { to: string } },
): Promise<TreeStates> {
  const made = await copyTree(from, to, { tree, signal, replaced: seen.to });
  for (const destination of [...made.keys()].reverse()) {
    await tree.remove(from + destination.slice(to.length));
  }
  return made;
}
