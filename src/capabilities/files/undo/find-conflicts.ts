import { dirname, join } from "node:path";
import { isSameState, missing } from "../../../kernel/events/file-change.ts";
import type { NetChange } from "../../../kernel/events/net-changes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { stateIfPlain } from "../tree/state-if-plain.ts";
import type { Tree } from "../tree/tree.ts";

/**
 * Paths that block a revert: those changed since, and those created where something has to be restored or removed.
 * The stamps show later whether a path is still as it was found here.
 */
export async function findConflicts(
  nets: readonly NetChange[],
  { tree, signal }: { tree: Tree; signal: AbortSignal },
): Promise<{ conflicts: string[]; stamps: Map<string, string> }> {
  const byPath = new Map(nets.map((net) => [net.path, net]));
  const conflicts = new Set<string>();
  const stamps = new Map<string, string>();
  for (const { path, is, was } of nets) {
    signal.throwIfAborted();
    const hidden = isHidden(path, byPath);
    // Taken before the content is read, so that any later change shows.
    stamps.set(path, hidden ? "" : await stampOf(tree, path));
    const present = hidden ? missing : await stateIfPlain(tree, path);
    if (present === undefined || !isSameState(present, is)) {
      conflicts.add(path);
      continue;
    }
    if (is.kind === "directory" && was.kind !== "directory") {
      for (const { name } of await tree.entries(path, Number.POSITIVE_INFINITY)) {
        const inside = byPath.get(join(path, name));
        if (inside?.was.kind !== "missing") conflicts.add(join(path, name));
      }
    }
    const parent = byPath.get(dirname(path))?.was ?? (await stateIfPlain(tree, dirname(path)));
    if (was.kind !== "missing" && parent?.kind !== "directory") conflicts.add(dirname(path));
  }
  return { conflicts: [...conflicts].sort(), stamps };
}

/** Whether the changes replaced a folder above the path by something else, so that the path cannot exist. */
function isHidden(path: string, byPath: ReadonlyMap<string, NetChange>): boolean {
  const parent = dirname(path);
  if (parent === path) return false;
  const above = byPath.get(parent);
  return (above !== undefined && above.is.kind !== "directory") || isHidden(parent, byPath);
}

async function stampOf(tree: Tree, path: string): Promise<string> {
  try {
    return (await tree.look(path)).stamp;
  } catch (error) {
    if (error instanceof ToolError) return "";
    throw error;
  }
}
