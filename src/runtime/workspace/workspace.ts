import { realpath, stat } from "node:fs/promises";
import { resolve as absolutePath } from "node:path";
import type { Files } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createFiles } from "./files.ts";
import { judgePath, type PathAction, type PathFloor } from "./judge-path.ts";
import { type ResolvedPath, toResolvedPath } from "./resolved-path.ts";
import { type Walked, walkPath } from "./walk-path.ts";
import { createRoots, type Roots } from "./workspace-roots.ts";

/** The folders a session may work in: the one place that says where a path leads and whether it may go there. */
export interface Workspace {
  readonly root: string;
  /** Where the path leads, as the kernel would go. Refuses what is no path at all. */
  resolve(path: string, options?: ResolveOptions): Promise<ResolvedPath>;
  /** What holds whatever the rules and the mode say; asked before a call runs. */
  judge(path: string, action: PathAction, options?: ResolveOptions): Promise<PathJudgement>;
  files(signal: AbortSignal): Files;
}

export interface WorkspaceOptions {
  readonly root: string;
  /** More folders that count as inside. */
  readonly extraRoots?: readonly string[];
  /** Folders that may be read and still count as outside, such as the one for stored outputs. */
  readonly readableRoots?: readonly string[];
}

export interface ResolveOptions {
  /** False for what acts on a link itself, such as deleting it. */
  readonly followLast?: boolean;
}

export interface PathJudgement {
  readonly resolved: ResolvedPath;
  readonly floor?: PathFloor;
}

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const roots = await openRoots(options);

  const walk = async (path: string, { followLast = true }: ResolveOptions = {}): Promise<Walked> => {
    const outcome = await walkPath(path, { from: roots.root, followLast });
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
    files: (signal) => createFiles({ walk, roots, signal }),
  };
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
