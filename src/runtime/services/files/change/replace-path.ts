import { dirname, join, sep } from "node:path";
import { randomBytes } from "../../../../shared/crypto.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { isSameState, missing, type PathState } from "../../../events/file-change.ts";
import type { PathLook } from "../tree/tree.ts";
import { preserveTree, type TreeStates } from "../tree/tree-states.ts";
import { walkTree } from "../tree/walk-tree.ts";
import type { Changing } from "./changing.ts";
import { makeParents } from "./make-folder.ts";

/**
 * Brings something to a path and reports what became of every path there. What has to make room is kept, and put
 * back if nothing comes in its place.
 */
export async function replacePath(
  paths: PathReplacement,
  bring: () => Promise<TreeStates>,
  changing: Changing,
): Promise<void> {
  const { tree } = changing;
  const { from, to } = paths;
  const [source, existing] = await Promise.all([tree.look(from), tree.look(to)]);
  const old = existing.kind === "missing" ? [] : await preserveTree(to, changing);
  await makeParents(to, changing);
  const canReplace = source.kind === "file" && existing.kind === "file";
  const aside = old.length === 0 || canReplace ? undefined : await setAside(to, changing);
  const came = await bring().catch(async (error: unknown) => {
    if (aside !== undefined) await tree.rename(aside, to);
    throw error;
  });
  if (aside !== undefined) await clear(aside, changing);
  const oldStates = new Map(old.map(({ path, state }) => [path, state]));
  reportReplaced(oldStates, came, { ...changing, cameFrom: (path) => from + path.slice(to.length) });
}

export interface PathReplacement {
  readonly from: string;
  readonly to: string;
  readonly overwrite: boolean;
}

/** To be asked before any work is done. */
export async function refuseReplacement(
  { from, to, overwrite }: PathReplacement,
  { tree, nameOf }: Changing,
): Promise<void> {
  refuseItself({ from, to }, nameOf);
  const [source, existing] = await Promise.all([tree.look(from), tree.look(to)]);
  refuseTaken({ source, existing, overwrite }, nameOf(to));
}

function refuseItself({ from, to }: { from: string; to: string }, nameOf: Changing["nameOf"]): void {
  if (from === to) throw new ToolError("invalid-input", `${nameOf(to)} is the same path twice`);
  if (to.startsWith(from + sep)) {
    throw new ToolError(
      "invalid-input",
      `${nameOf(to)} lies in ${nameOf(from)}, which cannot go into itself`,
    );
  }
  if (from.startsWith(to + sep)) {
    throw new ToolError("invalid-input", `${nameOf(from)} lies in ${nameOf(to)}, which it cannot replace`);
  }
}

function refuseTaken(
  { source, existing, overwrite }: { source: PathLook; existing: PathLook; overwrite: boolean },
  to: string,
): void {
  if (existing.kind === "missing") return;
  if (!overwrite) {
    throw new ToolError("already-exists", `${to} already exists`, {
      hint:
        existing.kind === "directory"
          ? "Name the new path in full, not the folder it goes into."
          : "Choose another name, or ask for it to be overwritten.",
    });
  }
  if (existing.kind === "special") throw new ToolError("not-a-file", `${to} is a device, pipe or socket`);
  if (existing.kind === "directory" && source.kind !== "directory") {
    throw new ToolError("is-directory", `${to} is a directory, which a file cannot overwrite`, {
      hint: "Name the new path in full, with the file's name at its end.",
    });
  }
}

/** Out of the way in one step, so that nothing is half gone if the rest fails. */
async function setAside(path: string, { tree }: Changing): Promise<string> {
  const aside = join(dirname(path), `.toolwright-aside-${randomBytes(12).toString("hex")}`);
  await tree.rename(path, aside);
  return aside;
}

async function clear(aside: string, { tree }: Changing): Promise<void> {
  const never = new AbortController().signal;
  for (const { path } of (await walkTree(tree, aside, never)).reverse()) await tree.remove(path);
}

function reportReplaced(
  old: TreeStates,
  came: TreeStates,
  { report, freshness, cameFrom }: Changing & { cameFrom: (path: string) => string },
): void {
  for (const [path, before] of [...old].reverse()) {
    if (came.has(path)) continue;
    freshness.forget(path);
    report({ path, before, after: missing });
  }
  for (const [path, after] of came) {
    const before: PathState = old.get(path) ?? missing;
    freshness.carry(cameFrom(path), path);
    if (!isSameState(before, after)) report({ path, before, after });
  }
}
