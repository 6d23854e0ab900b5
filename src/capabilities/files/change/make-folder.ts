import { dirname } from "node:path";
import { missing } from "../../../kernel/events/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Changing } from "./changing.ts";

/** Creates a folder; `recursive` also creates its parents and accepts a folder that already exists. */
export async function makeFolder(
  path: string,
  { recursive }: { recursive: boolean },
  changing: Changing,
): Promise<void> {
  const { tree, nameOf } = changing;
  const { kind } = await tree.look(path);
  if (kind === "directory" && recursive) return;
  if (kind !== "missing") throw new ToolError("already-exists", `${nameOf(path)} already exists`);
  if (recursive) await makeParents(path, changing);
  else if ((await tree.look(dirname(path))).kind === "missing") {
    throw new ToolError("not-found", `${nameOf(dirname(path))} does not exist`, {
      hint: "Create it recursively, together with its parents.",
    });
  }
  changing.intent.last();
  await makeOne(path, changing);
}

export async function makeParents(path: string, changing: Changing): Promise<void> {
  const parent = dirname(path);
  // Ends at the latest at the workspace root, which exists.
  if ((await changing.tree.look(parent)).kind !== "missing") return;
  await makeParents(parent, changing);
  await makeOne(parent, changing);
}

async function makeOne(path: string, { tree, signal, report }: Changing): Promise<void> {
  signal.throwIfAborted();
  try {
    report({ path, before: missing, after: await tree.putFolder(path) });
  } catch (error) {
    // A concurrent write may have created the same folder.
    const isThere = error instanceof ToolError && error.code === "already-exists";
    if (!isThere || (await tree.look(path)).kind !== "directory") throw error;
  }
}
