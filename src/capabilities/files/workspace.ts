import type { FileChange } from "../../kernel/events/index.ts";
import {
  committedFiles,
  openPaths,
  unguardedGate,
  type WorkspaceOptions,
  type WorkspacePaths,
} from "../../kernel/policy/index.ts";
import { acting } from "../../kernel/services/index.ts";
import { noBlobs } from "../../kernel/store/index.ts";
import { outside } from "../../machine/paths/index.ts";
import type { Roots } from "../../shared/files/workspace-roots.ts";
import type { Files } from "../../tool/services/files.ts";
import { createPathLocks, type PathLocks } from "./change/path-locks.ts";
import { createFileChanging } from "./file-changing.ts";
import { createFileLocator } from "./file-locator.ts";
import { createFileReading } from "./file-reading.ts";
import type { FileScope } from "./file-scope.ts";
import { createFreshnessPool } from "./freshness-pool.ts";
import { openScope } from "./open-scope.ts";
import { revertChanges } from "./undo/revert-changes.ts";

/** The folders that sessions work in. Sessions sharing one wait for each other's changes to the same file. */
export interface Workspace extends WorkspacePaths {
  /** The files of one call: every access asks the scope's gate, stays inside the roots and obeys the scope's signal. */
  files(scope: FileScope): Files;
  /**
   * Restores every path to its state before the changes: all of them, or none. Paths that have changed since cause a
   * ToolError `conflict` that lists them. Returns the changes it made; reverting those is a redo.
   */
  revert(changes: readonly FileChange[], scope: Omit<FileScope, "gate">): Promise<readonly FileChange[]>;
}

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  return createWorkspace(await openPaths({ publicFiles: committedFiles, ...options }));
}

/** The files behind paths. With the same locks, changes to a file wait for each other. */
export function createWorkspace(paths: WorkspacePaths, locks: PathLocks = createPathLocks()): Workspace {
  const { roots } = paths;
  return {
    ...paths,
    files(scope) {
      const opened = openScope(scope, roots, locks);
      const locator = createFileLocator(opened);
      return {
        ...createFileReading(locator, opened),
        ...acting(createFileChanging(locator, opened)),
        ...opened.preview,
      };
    },
    async revert(changes, scope) {
      refuseForeign(changes, roots);
      const changed = changes.map(({ path }) => path);
      // Unguarded, because permission for each reverted path was checked before.
      const unguarded = { ...scope, gate: unguardedGate(paths) };
      return openScope(unguarded, roots, locks).makeChange(changed, (changing) =>
        revertChanges(changes, changing),
      );
    },
  };
}

/** Opens the files of a workspace outside any call, to read them. */
export function openReading(paths: WorkspacePaths): Files {
  return createWorkspace(paths).files({
    gate: unguardedGate(paths),
    signal: new AbortController().signal,
    freshness: createFreshnessPool(),
    blobs: noBlobs,
    onChange: () => {},
    // Changes would only be planned.
    mode: "preview",
    requireReadBeforeWrite: false,
  });
}

/** Changes are read from a store, and the roots may be different by now. */
function refuseForeign(changes: readonly FileChange[], roots: Roots): void {
  const foreign = changes.find(({ path }) => !roots.contains(path) || roots.holdsRoot(path));
  if (foreign !== undefined) throw outside(foreign.path, roots.root);
}
