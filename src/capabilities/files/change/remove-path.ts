import { missing } from "../../../kernel/events/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type Preserved, readTree } from "../tree/tree-states.ts";
import type { Changing } from "./changing.ts";
import { removeAll } from "./remove-all.ts";
import { setAside } from "./set-aside.ts";

/** Removes a path. Everything is saved for undo before anything is removed. */
export async function removePath(
  path: string,
  { recursive }: { recursive: boolean },
  changing: Changing,
): Promise<void> {
  const { tree, freshness, report, nameOf, intent } = changing;
  const { kind } = await tree.look(path);
  if (kind === "directory" && !recursive && (await tree.entries(path, 1)).length > 0) {
    throw new ToolError("is-directory", `${nameOf(path)} is a directory and not empty`, {
      hint: "Remove it recursively to delete everything in it.",
    });
  }
  const preserved = await readTree(path, "preserve", changing);
  const [top] = preserved as [Preserved];
  const changes = preserved
    .map((each) => ({ path: each.path, before: each.state, after: missing }))
    .reverse();
  if (preserved.length === 1) {
    intent.last();
    await tree.remove(path, top.stamp, top.state);
  } else {
    // In one step, so that no process ever finds half of it.
    const aside = await setAside(path, preserved, changing);
    intent.plan(changes);
    await intent.complete(() => removeAll(aside, tree));
  }
  for (const change of changes) {
    freshness.forget(change.path);
    report(change);
  }
}
