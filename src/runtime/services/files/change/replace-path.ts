import { dirname, join, sep } from "node:path";
import { randomBytes } from "../../../../shared/crypto.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { isSameState, missing, type PathState } from "../../../events/file-change.ts";
import { changedMeanwhile } from "../tree/require-stamp.ts";
import type { PathLook, Tree } from "../tree/tree.ts";
import { type Preserved, preserveTree, type TreeStates } from "../tree/tree-states.ts";
import { type TreePlace, walkTree } from "../tree/walk-tree.ts";
import type { Changing } from "./changing.ts";
import { makeParents } from "./make-folder.ts";

/**
 * Replaces what is at a path by what `bring` puts there, and reports every changed path. The old content is saved for
 * undo, and put back if `bring` fails. `bring` gets the stamp of the file to replace, empty if there is none.
 */
export async function replacePath(
  paths: PathReplacement,
  bring: (replaced: string) => Promise<TreeStates>,
  changing: Changing,
): Promise<void> {
  const { tree } = changing;
  const { from, to } = paths;
  const [source, existing] = await Promise.all([tree.look(from), tree.look(to)]);
  const old = existing.kind === "missing" ? [] : await preserveTree(to, changing);
  await makeParents(to, changing);
  const canReplace = source.kind === "file" && existing.kind === "file";
  const aside = old.length === 0 || canReplace ? undefined : await setAside(to, old, changing);
  const brought = await bring(canReplace ? existing.stamp : "").catch(async (error: unknown) => {
    if (aside !== undefined) await tree.rename(aside, to);
    throw error;
  });
  if (aside !== undefined) await removeAll(aside, tree);
  const oldStates = new Map(old.map(({ path, state }) => [path, state]));
  reportReplaced(oldStates, brought, { ...changing, cameFrom: (path) => from + path.slice(to.length) });
}

export interface PathReplacement {
  readonly from: string;
  readonly to: string;
  readonly overwrite: boolean;
}

/** Throws if the replacement is not possible; call it before doing any work. */
export async function refuseReplacement(
  { from, to, overwrite }: PathReplacement,
  { tree, nameOf }: Changing,
): Promise<void> {
  refuseOverlap({ from, to }, nameOf);
  const [source, existing] = await Promise.all([tree.look(from), tree.look(to)]);
  refuseOccupied({ source, existing, overwrite }, nameOf(to));
}

function refuseOverlap({ from, to }: { from: string; to: string }, nameOf: Changing["nameOf"]): void {
  if (from === to) throw new ToolError("invalid-input", `${nameOf(to)} is both source and destination`);
  if (to.startsWith(from + sep)) {
    throw new ToolError(
      "invalid-input",
      `${nameOf(from)} cannot be moved or copied into itself (${nameOf(to)})`,
    );
  }
  if (from.startsWith(to + sep)) {
    throw new ToolError("invalid-input", `${nameOf(from)} cannot replace ${nameOf(to)}, the folder it is in`);
  }
}

function refuseOccupied(
  { source, existing, overwrite }: { source: PathLook; existing: PathLook; overwrite: boolean },
  to: string,
): void {
  if (existing.kind === "missing") return;
  if (!overwrite) {
    throw new ToolError("already-exists", `${to} already exists`, {
      hint:
        existing.kind === "directory"
          ? "Give the full new path, not just the folder."
          : "Choose another name, or set overwrite.",
    });
  }
  if (existing.kind === "special") throw new ToolError("not-a-file", `${to} is a device, pipe or socket`);
  if (existing.kind === "directory" && source.kind !== "directory") {
    throw new ToolError("is-directory", `${to} is a directory; a file cannot overwrite it`, {
      hint: "Give the full new path, ending with the file's name.",
    });
  }
}

/**
 * Renames it in one step, so that nothing is half removed if a later step fails. From then on nobody can change it; what
 * was changed in it since it was saved would be lost, so it is then put back.
 */
async function setAside(
  path: string,
  old: readonly Preserved[],
  { tree, nameOf }: Changing,
): Promise<string> {
  const aside = join(dirname(path), `.toolwright-aside-${randomBytes(12).toString("hex")}`);
  const [top, ...saved] = old as [Preserved, ...Preserved[]];
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

/** Removes something that only this call knows of, with everything in it. */
export async function removeAll(top: string, tree: Tree): Promise<void> {
  for (const { path } of (await walkTree(tree, top, never)).reverse()) await tree.remove(path);
}

function reportReplaced(
  old: TreeStates,
  brought: TreeStates,
  { report, freshness, cameFrom }: Changing & { cameFrom: (path: string) => string },
): void {
  for (const [path, before] of [...old].reverse()) {
    if (brought.has(path)) continue;
    freshness.forget(path);
    report({ path, before, after: missing });
  }
  for (const [path, after] of brought) {
    const before: PathState = old.get(path) ?? missing;
    freshness.carry(cameFrom(path), path);
    if (!isSameState(before, after)) report({ path, before, after });
  }
}
