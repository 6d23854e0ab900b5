import type { Files } from "../../../tool/services/files.ts";
import type { FileChange } from "../../events/file-change.ts";
import { toPlace } from "../../policy/paths/place.ts";
import type { Roots } from "../../policy/paths/workspace-roots.ts";
import type { Changing } from "./change/changing.ts";
import type { FileScope } from "./file-scope.ts";
import { layFreshnessOver } from "./freshness-pool.ts";
import { createDiskTree } from "./tree/disk-tree.ts";
import { createOverlayTree } from "./tree/overlay-tree.ts";
import { previewChanges } from "./undo/preview-changes.ts";

/** Opens a scope on the disk, or in preview mode on an overlay whose planned changes can be shown. */
export function openScope(
  scope: FileScope,
  roots: Roots,
): { changing: Changing; preview?: NonNullable<Files["preview"]> } {
  const { signal, blobs, freshness, onChange } = scope;
  const diffNameOf = (canonical: string) => roots.relative(canonical) ?? canonical;
  const nameOf = scope.showsAbsolutePaths ? (canonical: string) => canonical : diffNameOf;
  const base = createDiskTree({ roots, blobs, signal, nameOf });
  if (scope.mode === "apply")
    return { changing: { tree: base, freshness, signal, nameOf, diffNameOf, report: onChange } };

  const tree = createOverlayTree(base, { blobs, signal });
  const changes: FileChange[] = [];
  const report = (change: FileChange) => {
    changes.push(change);
    onChange(change);
  };
  return {
    changing: { tree, freshness: layFreshnessOver(freshness), signal, nameOf, diffNameOf, report },
    async preview() {
      await admitShown(changes, scope, roots);
      return previewChanges(changes, { base, tree, signal, nameOf: diffNameOf });
    },
  };
}

/** A preview shows file contents, including those inside a folder, so each needs permission to read. */
async function admitShown(changes: readonly FileChange[], { gate }: FileScope, roots: Roots): Promise<void> {
  for (const { path, before, after } of changes) {
    if (before.kind !== "file" && after.kind !== "file") continue;
    await gate.read(toPlace(path, { canonical: path, kind: "file", links: [] }, roots));
  }
}
