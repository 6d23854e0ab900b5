import { ToolError } from "../../../../tool/tool-error.ts";
import { missing } from "../../../events/file-change.ts";
import { preserveTree } from "../tree/tree-states.ts";
import type { Changing } from "./changing.ts";

/** Removes a path. Everything is saved for undo before anything is removed. */
export async function removePath(
  path: string,
  { recursive }: { recursive: boolean },
  changing: Changing,
): Promise<void> {
  const { tree, freshness, report, nameOf } = changing;
  const { kind } = await tree.look(path);
  if (kind === "directory" && !recursive && (await tree.entries(path, 1)).length > 0) {
    throw new ToolError("is-directory", `${nameOf(path)} is a directory and not empty`, {
      hint: "Remove it recursively to delete everything in it.",
    });
  }
  const preserved = await preserveTree(path, changing);
  for (const { path: place, state: before, stamp } of preserved.reverse()) {
    await tree.remove(place, stamp);
    freshness.forget(place);
    report({ path: place, before, after: missing });
  }
}
