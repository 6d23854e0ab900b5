import { dirname, join } from "node:path";
import { randomBytes } from "../../../../shared/crypto.ts";
import type { PathState } from "../../../events/file-change.ts";
import type { Tree } from "../tree/tree.ts";
import { type TreePlace, walkTree } from "../tree/walk-tree.ts";
import type { Changing } from "./changing.ts";
import { makeParents } from "./make-folder.ts";
import { type PathReplacement, refuseReplacement, removeAll, replacePath } from "./replace-path.ts";

export async function copyPath(paths: PathReplacement, changing: Changing): Promise<void> {
  await refuseReplacement(paths, changing);
  if ((await changing.tree.look(paths.from)).kind === "directory") return copyFolder(paths, changing);
  await replacePath(paths, (replaced) => copyTree(paths.from, paths.to, { ...changing, replaced }), changing);
}

/** Copies beside the destination first, so that a process killed meanwhile leaves what was there, and never half a copy. */
async function copyFolder(paths: PathReplacement, changing: Changing): Promise<void> {
  const { tree } = changing;
  const { from, to } = paths;
  await makeParents(to, changing);
  const draft = join(dirname(to), `.toolwright-copy-${randomBytes(12).toString("hex")}`);
  const made = await copyTree(from, draft, { ...changing, replaced: "" });
  const bring = async (replaced: string) => {
    await tree.rename(draft, to, { to: replaced });
    return new Map([...made].map(([path, state]) => [to + path.slice(draft.length), state]));
  };
  try {
    await replacePath(paths, bring, changing);
  } catch (error) {
    if ((await tree.look(draft)).kind !== "missing") await removeAll(draft, tree);
    throw error;
  }
}

/**
 * Copies a path with everything in it to a free path, or a file over a file that has the stamp `replaced`. A failed copy is
 * removed again.
 */
export async function copyTree(
  from: string,
  to: string,
  { tree, signal, replaced }: { tree: Tree; signal: AbortSignal; replaced: string },
): Promise<Map<string, PathState>> {
  const places = await walkTree(tree, from, signal);
  const made = new Map<string, PathState>();
  try {
    for (const place of places) {
      signal.throwIfAborted();
      const destination = to + place.path.slice(from.length);
      // Syncing each file of a tree is not worth the wait: the original still exists.
      const options = { tree, durable: places.length === 1, expected: destination === to ? replaced : "" };
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
  { tree, durable, expected }: { tree: Tree; durable: boolean; expected: string },
): Promise<PathState> {
  switch (kind) {
    case "file":
      // Drops setuid and setgid: a copy would run with the rights of whoever copied it.
      return (await tree.putFile(to, { copyOf: path }, { mode: mode & 0o1777, durable, expected })).state;
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
