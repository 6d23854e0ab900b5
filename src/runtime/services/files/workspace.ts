import { realpath, stat } from "node:fs/promises";
import { resolve as absolutePath } from "node:path";
import type { Files } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { judgePath, type PathAction, type PathFloor } from "../../policy/paths/judge-path.ts";
import { outside } from "../../policy/paths/open-contained.ts";
import { type ResolvedPath, toResolvedPath } from "../../policy/paths/resolved-path.ts";
import { disk, type ResolveOptions, type Walked, walkPath } from "../../policy/paths/walk-path.ts";
import { createRoots, type Roots } from "../../policy/paths/workspace-roots.ts";
import { createPathLocks } from "./change/path-locks.ts";
import type { FileScope } from "./file-scope.ts";
import { createFiles } from "./files.ts";
import { openScope } from "./open-scope.ts";
import type { FileChange } from "./undo/file-change.ts";
import { revertChanges } from "./undo/revert-changes.ts";

/** The folders a session may work in: the one place that says where a path leads and whether it may go there. */
export interface Workspace {
  readonly root: string;
  /** Where the path leads, as the kernel would go. Refuses what is no path at all. */
  resolve(path: string, options?: ResolveOptions): Promise<ResolvedPath>;
  /** What holds whatever the rules and the mode say; asked before a call runs. */
  judge(path: string, action: PathAction, options?: ResolveOptions): Promise<PathJudgement>;
  files(scope: FileScope): Files;
  /**
   * Brings every path back to what it was before the changes: all of them, or none. A path that is no longer as the
   * changes left it makes a ToolError `conflict` that lists all such paths. Gives its own changes: reverting those
   * makes the first ones again.
   */
  revert(changes: readonly FileChange[], scope: FileScope): Promise<readonly FileChange[]>;
}

export interface WorkspaceOptions {
  readonly root: string;
  /** More folders that count as inside. */
  readonly extraRoots?: readonly string[];
  /** Folders that may be read and still count as outside, such as the one for stored outputs. */
  readonly readableRoots?: readonly string[];
}

interface PathJudgement {
  readonly resolved: ResolvedPath;
  readonly floor?: PathFloor;
}

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const roots = await openRoots(options);
  const locks = createPathLocks();

  const walk = async (
    path: string,
    { followLast = true }: ResolveOptions = {},
    terrain = disk,
  ): Promise<Walked> => {
    const outcome = await walkPath(path, { from: roots.root, followLast, terrain });
    if (outcome.status === "reached") return outcome;
    if (roots.mayRead(outcome.stoppedAt)) throw outcome.error;
    // Why a walk stopped outside is nobody's business: it would tell what is there.
    return { canonical: outcome.stoppedAt, kind: "missing", links: [] };
  };

  return {
    root: roots.root,
    async resolve(path, resolveOptions) {
      return toResolvedPath(await walk(path, resolveOptions), roots);
    },
    async judge(path, action, resolveOptions) {
      const reached = await walk(path, resolveOptions);
      const resolved = toResolvedPath(reached, roots);
      const floor = judgePath(path, { action, resolved, links: reached.links, roots });
      return { resolved, ...(floor && { floor }) };
    },
    files(scope) {
      const { changing, preview } = openScope(scope, roots);
      const walkScope = (path: string, how?: ResolveOptions) => walk(path, how, changing.tree);
      const files = createFiles({ walk: walkScope, roots, locks, scope, changing });
      return preview === undefined ? files : { ...files, preview };
    },
    async revert(changes, scope) {
      const { changing } = openScope(scope, roots);
      refuseForeign(changes, roots);
      const paths = changes.map(({ path }) => path);
      return locks({ paths, signal: scope.signal }, () =>
        revertChanges(changes, { ...changing, blobs: scope.blobs }),
      );
    },
  };
}

/** Changes come back from a store, and the roots may be others now. */
function refuseForeign(changes: readonly FileChange[], roots: Roots): void {
  const foreign = changes.find(({ path }) => !roots.contains(path) || roots.holdsRoot(path));
  if (foreign !== undefined) throw outside(foreign.path);
}

async function openRoots({ root, extraRoots = [], readableRoots = [] }: WorkspaceOptions): Promise<Roots> {
  const [canonicalRoot, canonicalExtra, canonicalReadable] = await Promise.all([
    openRoot(root),
    Promise.all(extraRoots.map(openRoot)),
    Promise.all(readableRoots.map(openRoot)),
  ]);
  return createRoots({ root: canonicalRoot, extraRoots: canonicalExtra, readableRoots: canonicalReadable });
}

/** Made canonical once: what a root means must not change while a session works in it. */
async function openRoot(root: string): Promise<string> {
  const hint = "Name a folder that exists.";
  const canonical = await realpath(absolutePath(root)).catch((cause: unknown) => {
    throw new ToolError("not-found", `the workspace folder ${root} cannot be opened`, { hint, cause });
  });
  if (!(await stat(canonical)).isDirectory()) {
    throw new ToolError("not-a-directory", `the workspace ${root} is not a folder`, { hint });
  }
  return canonical;
}
