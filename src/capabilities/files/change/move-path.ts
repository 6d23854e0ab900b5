import { type FileChange, missing } from "../../../kernel/events/index.ts";
import { errorCodeOf } from "../../../shared/files/error-code.ts";
import { readTree, type TreeStates } from "../tree/tree-states.ts";
import type { Changing } from "./changing.ts";
import { withDraft } from "./copy-path.ts";
import { removeAll } from "./remove-all.ts";
import { type PathReplacement, type Replaced, refuseReplacement, replacePath } from "./replace-path.ts";
import { setAside } from "./set-aside.ts";

export async function movePath(paths: PathReplacement, changing: Changing): Promise<void> {
  const { from, to } = paths;
  await refuseReplacement(paths, changing);
  const { kind, stamp } = await changing.tree.look(from);
  const left = await readTree(from, "state", changing);
  const leaving = left
    .map(({ path, state }): FileChange => ({ path, before: state, after: missing }))
    .reverse();
  // A folder's stamp changes with its content, and changes that another process makes in it are moved with it.
  const seen = kind === "directory" ? {} : { from: stamp };
  const relocate = async (replaced: Replaced): Promise<TreeStates> => {
    const brought = new Map(left.map(({ path, state }) => [to + path.slice(from.length), state]));
    changing.intent.plan([...leaving, ...replaced.changesBy(brought)]);
    changing.intent.last();
    await changing.tree.rename(from, to, { ...seen, to: replaced.stamp, before: replaced.before });
    return brought;
  };
  try {
    await replacePath(paths, relocate, changing);
  } catch (error) {
    if (errorCodeOf(error) !== "EXDEV") throw error;
    await moveAcross(paths, leaving, changing);
  }
  for (const change of leaving) {
    changing.freshness.forget(change.path);
    changing.report(change);
  }
}

/** Moves to another disk: once the copy is complete, the original is put aside, and removed when the copy has its name. */
async function moveAcross(
  paths: PathReplacement,
  leaving: readonly FileChange[],
  changing: Changing,
): Promise<void> {
  const { tree, intent } = changing;
  const { from } = paths;
  const original = await readTree(from, "preserve", changing);
  let aside: string | undefined;
  await withDraft(paths, changing, async (bring) => {
    aside = await setAside(from, original, changing);
    intent.plan(leaving);
    await replacePath(paths, bring, changing);
  }).catch(async (error: unknown) => {
    if (aside !== undefined) await tree.rename(aside, from, { to: "" });
    throw error;
  });
  await intent.complete(async () => {
    if (aside !== undefined) await removeAll(aside, tree);
  });
}
