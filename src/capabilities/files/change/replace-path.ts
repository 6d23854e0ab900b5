import { sep } from "node:path";
import { type FileChange, isSameState, missing, type PathState } from "../../../kernel/events/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { PathLook } from "../tree/tree.ts";
import { readTree, type TreeStates } from "../tree/tree-states.ts";
import type { Changing } from "./changing.ts";
import { makeParents } from "./make-folder.ts";
import { removeAll } from "./remove-all.ts";
import { setAside } from "./set-aside.ts";

/**
 * Replaces the entry at a path by those that `bring` puts there, and reports every changed path. The old content is saved for
 * undo, and put back if `bring` fails.
 */
export async function replacePath(
  paths: PathReplacement,
  bring: (replaced: Replaced) => Promise<TreeStates>,
  changing: Changing,
): Promise<void> {
  const { tree, intent } = changing;
  const { from, to } = paths;
  const [source, existing] = await Promise.all([tree.look(from), tree.look(to)]);
  const old = existing.kind === "missing" ? [] : await readTree(to, "preserve", changing);
  await makeParents(to, changing);
  const canReplace = source.kind === "file" && existing.kind === "file";
  const aside = old.length === 0 || canReplace ? undefined : await setAside(to, old, changing);
  const oldStates = new Map(old.map(({ path, state }) => [path, state]));
  const replaced: Replaced = {
    stamp: canReplace ? existing.stamp : "",
    before: canReplace ? oldStates.get(to)! : missing,
    changesBy: (brought) => replacedChanges(oldStates, brought),
  };
  const brought = await bring(replaced).catch(async (error: unknown) => {
    if (aside !== undefined) await tree.rename(aside, to);
    throw error;
  });
  if (aside !== undefined) await intent.complete(() => removeAll(aside, tree));
  reportReplaced(oldStates, brought, { ...changing, cameFrom: (path) => from + path.slice(to.length) });
}

/** The entry at a path that is to be replaced in one step: a file, or nothing any more. */
export interface Replaced {
  /** Empty if there is nothing. */
  readonly stamp: string;
  readonly before: PathState;
  /** The changes to every path that come of bringing these. */
  changesBy(brought: TreeStates): readonly FileChange[];
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
  const overlap = describeOverlap({ from, to }, nameOf);
  if (overlap !== undefined) throw new ToolError("invalid-input", overlap);
  const [source, existing] = await Promise.all([tree.look(from), tree.look(to)]);
  refuseOccupied({ source, existing, overwrite }, nameOf(to));
}

function describeOverlap(
  { from, to }: Pick<PathReplacement, "from" | "to">,
  nameOf: Changing["nameOf"],
): string | undefined {
  if (from === to) return `${nameOf(to)} is both source and destination`;
  if (to.startsWith(from + sep))
    return `${nameOf(from)} cannot be moved or copied into itself (${nameOf(to)})`;
  if (from.startsWith(to + sep)) return `${nameOf(from)} cannot replace ${nameOf(to)}, the folder it is in`;
  return undefined;
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

function replacedChanges(old: TreeStates, brought: TreeStates): FileChange[] {
  const removed = [...old].reverse().filter(([path]) => !brought.has(path));
  return [
    ...removed.map(([path, before]) => ({ path, before, after: missing })),
    ...[...brought].map(([path, after]) => ({ path, before: old.get(path) ?? missing, after })),
  ].filter(({ before, after }) => !isSameState(before, after));
}

function reportReplaced(
  old: TreeStates,
  brought: TreeStates,
  { report, freshness, cameFrom }: Changing & { cameFrom: (path: string) => string },
): void {
  for (const path of old.keys()) if (!brought.has(path)) freshness.forget(path);
  for (const path of brought.keys()) freshness.carry(cameFrom(path), path);
  for (const change of replacedChanges(old, brought)) report(change);
}
