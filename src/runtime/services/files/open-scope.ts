import type { Files } from "../../../tool/services/files.ts";
import type { Roots } from "../../policy/paths/workspace-roots.ts";
import type { Changing } from "./change/changing.ts";
import type { FileScope } from "./file-scope.ts";
import { layFreshnessOver } from "./lay-freshness-over.ts";
import { createDiskTree } from "./tree/disk-tree.ts";
import { createOverlayTree } from "./tree/overlay-tree.ts";
import type { FileChange } from "./undo/file-change.ts";
import { previewChanges } from "./undo/preview-changes.ts";

/** What changes are made with in a scope: on the disk, or only planned, in which case they can be previewed. */
export function openScope(
  scope: FileScope,
  roots: Roots,
): { changing: Changing; preview?: NonNullable<Files["preview"]> } {
  const { signal, blobs, freshness, onChange } = scope;
  const nameOf = (canonical: string) => roots.relative(canonical) ?? canonical;
  const base = createDiskTree({ roots, blobs, signal, nameOf });
  if (scope.mode === "apply")
    return { changing: { tree: base, freshness, signal, nameOf, report: onChange } };

  const tree = createOverlayTree(base, { blobs, signal });
  const changes: FileChange[] = [];
  const report = (change: FileChange) => {
    changes.push(change);
    onChange(change);
  };
  return {
    changing: { tree, freshness: layFreshnessOver(freshness), signal, nameOf, report },
    preview: () => previewChanges(changes, { base, tree, signal, nameOf }),
  };
}
