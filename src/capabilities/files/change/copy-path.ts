import { dirname, join } from "node:path";
import { missing, type PathState } from "../../../kernel/events/index.ts";
import { randomBytes } from "../../../shared/crypto.ts";
import type { Tree } from "../tree/tree.ts";
import type { TreeStates } from "../tree/tree-states.ts";
import { type TreePlace, walkTree } from "../tree/walk-tree.ts";
import type { Changing } from "./changing.ts";
import { makeParents } from "./make-folder.ts";
import { removeAll } from "./remove-all.ts";
import { type PathReplacement, type Replaced, refuseReplacement, replacePath } from "./replace-path.ts";

export async function copyPath(paths: PathReplacement, changing: Changing): Promise<void> {
  await refuseReplacement(paths, changing);
  if ((await changing.tree.look(paths.from)).kind === "directory") return copyFolder(paths, changing);
  const bring = (replaced: Replaced) => {
    changing.intent.last();
    return copyTree(paths.from, paths.to, { ...changing, replaced });
  };
  await replacePath(paths, bring, changing);
}

/** Copies beside the destination first, so that a process killed meanwhile leaves the old entry there, and never half a copy. */
async function copyFolder(paths: PathReplacement, changing: Changing): Promise<void> {
  await makeParents(paths.to, changing);
  await withDraft(paths, changing, (bring) => replacePath(paths, bring, changing));
}

/** Copies a path beside the destination; `bring` gives the copy its name. Nothing is left of it if the work fails. */
export async function withDraft(
  { from, to }: PathReplacement,
  changing: Changing,
  work: (bring: (replaced: Replaced) => Promise<TreeStates>) => Promise<void>,
): Promise<void> {
  const { tree, intent } = changing;
  const path = join(dirname(to), `.toolwright-copy-${randomBytes(12).toString("hex")}`);
  intent.scratch(path);
  try {
    const made = await copyTree(from, path, { ...changing, replaced: nothing });
    const brought = new Map([...made].map(([each, state]) => [to + each.slice(path.length), state]));
    await work(async ({ stamp, before, changesBy }) => {
      intent.plan(changesBy(brought));
      intent.last();
      await tree.rename(path, to, { to: stamp, before });
      return brought;
    });
  } catch (error) {
    if ((await tree.look(path)).kind !== "missing") await removeAll(path, tree);
    throw error;
  }
}

const nothing = { stamp: "", before: missing };

/** Copies a path with everything in it to a free path, or a file over a file. A failed copy is removed again. */
async function copyTree(
  from: string,
  to: string,
  {
    tree,
    signal,
    replaced,
  }: { tree: Tree; signal: AbortSignal; replaced: Pick<Replaced, "stamp" | "before"> },
): Promise<Map<string, PathState>> {
  const places = await walkTree(tree, from, signal);
  const made = new Map<string, PathState>();
  try {
    for (const place of places) {
      signal.throwIfAborted();
      const destination = to + place.path.slice(from.length);
      // Syncing each file of a tree is not worth the wait: the original still exists.
      const { stamp: expected, before } = destination === to ? replaced : nothing;
      const options = { tree, durable: places.length === 1, expected, before };
      made.set(destination, await copyOne(place, destination, options));
    }
    for (const { path, kind, mode } of places.toReversed()) {
      if (kind === "directory" && !isOpen(mode)) await tree.setMode(to + path.slice(from.length), mode);
    }
  } catch (error) {
    for (const destination of [...made.keys()].reverse()) await tree.remove(destination);
    throw error;
  }
  return made;
}

async function copyOne(
  { path, kind, mode }: TreePlace,
  to: string,
  { tree, durable, ...replaced }: { tree: Tree; durable: boolean; expected: string; before: PathState },
): Promise<PathState> {
  switch (kind) {
    case "file":
      // Drops setuid and setgid: a copy would run with the rights of the user who copied it.
      return (await tree.putFile(to, { copyOf: path }, { mode: mode & 0o1777, durable, ...replaced })).state;
    case "link":
      return tree.putLink(to, await tree.linkTarget(path));
    case "directory":
      // Writable until its content is copied; the real mode is set afterwards.
      await tree.putFolder(to, { mode: mode | 0o700, durable });
      return { kind, mode };
  }
}

function isOpen(mode: number): boolean {
  return (mode & 0o700) === 0o700;
}
