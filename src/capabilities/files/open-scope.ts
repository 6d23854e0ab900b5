import { type FileChange, netChanges } from "../../kernel/events/index.ts";
import type { Gate } from "../../kernel/policy/index.ts";
import { toPlace } from "../../machine/paths/index.ts";
import type { Roots } from "../../shared/files/workspace-roots.ts";
import type { Changing } from "./change/changing.ts";
import type { PathLocks } from "./change/path-locks.ts";
import type { FileScope } from "./file-scope.ts";
import { createFreshnessPool } from "./freshness-pool.ts";
import { noIntent, partOf } from "./intents/intent.ts";
import { createDiskTree } from "./tree/disk-tree.ts";
import { createDiskView } from "./tree/disk-view.ts";
import { createOverlayTree } from "./tree/overlay-tree.ts";
import type { ReadableTree, Tree } from "./tree/tree.ts";
import { describeChanges, textsIn } from "./undo/describe-changes.ts";
import { revertChanges } from "./undo/revert-changes.ts";

/** What the methods of one call's files share. */
export type OpenedScope = ReturnType<typeof openScope>;

/** Opens a scope on the disk, or in preview mode on an overlay whose planned changes can be shown. */
export function openScope(scope: FileScope, roots: Roots, locks: PathLocks) {
  const { gate, signal, blobs, requireReadBeforeWrite, confirmOwner } = scope;
  const diffNameOf = rememberLast((canonical) => roots.relative(canonical) ?? canonical);
  const nameOf = scope.showsAbsolutePaths ? (canonical: string) => canonical : diffNameOf;
  const disk = createDiskView({ roots, blobs, signal, nameOf });
  const plan = scope.mode === "preview" ? openPlan(scope, { disk, roots, nameOf: diffNameOf }) : undefined;
  const opened = {
    ...{ gate, roots, blobs, signal, requireReadBeforeWrite, nameOf, diffNameOf },
    /** The disk, or in a preview the disk with the planned changes on top. */
    tree: (plan?.tree ?? disk) as ReadableTree,
    freshness: plan?.freshness ?? scope.freshness,
  };
  const treeFor = (own: Pick<Changing, "signal" | "intent">): Tree =>
    plan?.tree ??
    createDiskTree({ roots, blobs, nameOf, confirmOwner, ...own }, own.signal === signal ? disk : undefined);
  /** Locks the paths and makes one change, which is written down before it is made. */
  const makeChange = <Result>(
    paths: readonly string[],
    work: (changing: Changing) => Promise<Result>,
  ): Promise<Result> =>
    locks({ paths, signal }, async () => {
      const intent = (plan === undefined && scope.beginIntent?.(roots.folders)) || noIntent;
      const letGo = blobs.hold();
      try {
        const report = plan?.report ?? scope.onChange;
        return await work({ ...opened, report, intent, tree: treeFor({ signal, intent }) });
      } finally {
        intent.end();
        letGo();
      }
    });
  return {
    ...opened,
    /** The method of a preview; none otherwise. */
    preview: plan?.preview,
    makeChange,
    /** Makes several changes as one: when one fails, those before it are reverted. */
    makeChanges: <Result>(paths: readonly string[], work: (changing: Changing) => Promise<Result>) =>
      makeChange(paths, async (own) => {
        const made: FileChange[] = [];
        const later: (() => Promise<void>)[] = [];
        const part = paths.length === 1 ? own : { ...own, intent: partOf(own.intent, later) };
        const report: Changing["report"] = (change, contents) => {
          made.push(change);
          own.report(change, contents);
        };
        const cleanUp = async () => {
          for (const each of later) await each();
        };
        try {
          const result = await work({ ...part, report });
          if (part !== own) await own.intent.complete(cleanUp);
          return result;
        } catch (error) {
          // Reverted even in a call that is cancelled.
          const undoing = { intent: partOf(own.intent, later), signal: never };
          if (made.length > 0) await revertChanges(made, { ...own, ...undoing, tree: treeFor(undoing) });
          await cleanUp();
          throw error;
        }
      }),
  };
}

const never = new AbortController().signal;

/** Most calls change one file, and name it again and again. */
function rememberLast(nameOf: (canonical: string) => string): (canonical: string) => string {
  let [last, name] = ["", ""];
  return (canonical) => {
    if (canonical !== last) [last, name] = [canonical, nameOf(canonical)];
    return name;
  };
}

/** Changes that are planned and shown, and never made. */
function openPlan(
  { gate, signal, blobs, freshness, onChange }: FileScope,
  { disk, roots, nameOf }: { disk: ReadableTree; roots: Roots; nameOf: (canonical: string) => string },
) {
  const tree = createOverlayTree(disk, { blobs, signal });
  const changes: FileChange[] = [];
  return {
    tree,
    freshness: createFreshnessPool({ base: freshness }),
    report(change: FileChange) {
      changes.push(change);
      onChange(change);
    },
    preview: {
      async preview() {
        await admitShown(changes, { gate, roots });
        const [before, after] = [textsIn(disk, { signal, nameOf }), textsIn(tree, { signal, nameOf })];
        return describeChanges(netChanges(changes), { before, after, nameOf });
      },
    },
  };
}

/** A preview shows file contents, including those inside a folder, so each needs permission to read. */
async function admitShown(
  changes: readonly FileChange[],
  { gate, roots }: { readonly gate: Gate; readonly roots: Roots },
): Promise<void> {
  for (const { path, before, after } of changes) {
    if (before.kind !== "file" && after.kind !== "file") continue;
    await gate.read(toPlace(path, { canonical: path, kind: "file", links: [] }, roots));
  }
}
