import type { FileChange } from "../../kernel/events/file-change.ts";
import { toPlace } from "../../machine/paths/place.ts";
import type { Roots } from "../../shared/files/workspace-roots.ts";
import type { Files } from "../../tool/services/files.ts";
import type { Changing } from "./change/changing.ts";
import type { FileScope } from "./file-scope.ts";
import { layFreshnessOver } from "./freshness-pool.ts";
import { noIntent } from "./intents/intent.ts";
import { createDiskTree } from "./tree/disk-tree.ts";
import { createOverlayTree } from "./tree/overlay-tree.ts";
import { describeChanges, textsIn } from "./undo/describe-changes.ts";

export interface OpenedScope {
  readonly changing: Changing;
  /**
   * Makes one change, which is written down before it is made. `unstoppable` ignores the call's abort signal, so that
   * earlier changes are reverted even in a cancelled call.
   */
  makeChange<Result>(work: (changing: Changing, unstoppable: Changing) => Promise<Result>): Promise<Result>;
  readonly preview?: NonNullable<Files["preview"]>;
}

/** Opens a scope on the disk, or in preview mode on an overlay whose planned changes can be shown. */
export function openScope(scope: FileScope, roots: Roots): OpenedScope {
  const { signal, blobs, freshness, onChange, confirmOwner } = scope;
  const diffNameOf = (canonical: string) => roots.relative(canonical) ?? canonical;
  const nameOf = scope.showsAbsolutePaths ? (canonical: string) => canonical : diffNameOf;
  const base = createDiskTree({ roots, blobs, signal, nameOf });
  const about = { freshness, signal, nameOf, diffNameOf, intent: noIntent };
  if (scope.mode === "apply") {
    const changing = { ...about, tree: base, report: onChange };
    return {
      changing,
      async makeChange(work) {
        const intent = scope.beginIntent?.(roots.folders) ?? noIntent;
        const using = (own: AbortSignal): Changing => ({
          ...changing,
          signal: own,
          intent,
          tree: createDiskTree({ roots, blobs, signal: own, nameOf, intent, confirmOwner }),
        });
        const letGo = blobs.hold();
        return work(using(signal), using(never)).finally(() => {
          intent.end();
          letGo();
        });
      },
    };
  }

  const tree = createOverlayTree(base, { blobs, signal });
  const changes: FileChange[] = [];
  const report = (change: FileChange) => {
    changes.push(change);
    onChange(change);
  };
  const changing = { ...about, tree, freshness: layFreshnessOver(freshness), report };
  return {
    changing,
    // Touches nothing, so it has nothing to revert.
    makeChange: (work) => work(changing, changing),
    async preview() {
      await admitShown(changes, scope, roots);
      const named = { signal, nameOf: diffNameOf };
      return describeChanges(changes, {
        before: textsIn(base, named),
        after: textsIn(tree, named),
        nameOf: diffNameOf,
      });
    },
  };
}

const never = new AbortController().signal;

/** A preview shows file contents, including those inside a folder, so each needs permission to read. */
async function admitShown(changes: readonly FileChange[], { gate }: FileScope, roots: Roots): Promise<void> {
  for (const { path, before, after } of changes) {
    if (before.kind !== "file" && after.kind !== "file") continue;
    await gate.read(toPlace(path, { canonical: path, kind: "file", links: [] }, roots));
  }
}
