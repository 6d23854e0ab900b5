import type { Files } from "../../tool/tool-context.ts";
import type { Changing } from "./changing.ts";
import { createDiskTree } from "./disk-tree.ts";
import type { FileChange } from "./file-change.ts";
import type { FileScope } from "./file-scope.ts";
import { layFreshnessOver } from "./lay-freshness-over.ts";
import { createOverlayTree } from "./overlay-tree.ts";
import { previewChanges } from "./preview-changes.ts";
import type { Roots } from "./workspace-roots.ts";

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
