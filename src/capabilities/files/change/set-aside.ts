import { dirname, join } from "node:path";
import { randomBytes } from "../../../shared/crypto.ts";
import { changedMeanwhile } from "../tree/require-stamp.ts";
import type { Preserved } from "../tree/tree-states.ts";
import { type TreePlace, walkTree } from "../tree/walk-tree.ts";
import type { Changing } from "./changing.ts";

/**
 * Renames a file or folder in one step, so that nothing is half removed if a later step fails. Afterwards no process
 * can change it by its path. If it was changed after it was saved, it is put back, because that change would be lost.
 */
export async function setAside(
  path: string,
  old: readonly Preserved[],
  { tree, intent, nameOf }: Changing,
): Promise<string> {
  const aside = join(dirname(path), `.toolwright-aside-${randomBytes(12).toString("hex")}`);
  const [top, ...saved] = old as [Preserved, ...Preserved[]];
  intent.scratch(aside);
  await tree.rename(path, aside, top.stamp === undefined ? {} : { from: top.stamp });
  const stamps = new Map(saved.map((each) => [aside + each.path.slice(path.length), each.stamp]));
  const [, ...found] = await walkTree(tree, aside, never);
  const isAsSaved = ({ path: place, kind, stamp }: TreePlace) =>
    stamps.has(place) && stamps.get(place) === (kind === "directory" ? undefined : stamp);
  if (found.length === saved.length && found.every(isAsSaved)) return aside;
  await tree.rename(aside, path, { to: "" });
  throw changedMeanwhile(nameOf(path));
}

const never = new AbortController().signal;
