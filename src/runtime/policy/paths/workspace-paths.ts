import { realpath, stat } from "node:fs/promises";
import { resolve as absolutePath } from "node:path";
import { ToolError } from "../../../tool/tool-error.ts";
import { type Floor, judgePath, type PathAction } from "./judge-path.ts";
import { type Place, toPlace } from "./place.ts";
import { disk, type FileSystemView, type ResolveOptions, walkPath } from "./walk-path.ts";
import { createRoots, type Roots } from "./workspace-roots.ts";

/** The folders a session may work in: the one place that says where a path leads and whether it may go there. */
export interface WorkspacePaths {
  readonly root: string;
  readonly roots: Roots;
  /** Where the path leads, as the kernel would go. Refuses what is no path at all. */
  resolve(path: string, options?: ResolveOptions & { readonly view?: FileSystemView }): Promise<Place>;
  /** What holds at a place whatever the rules and the mode say. */
  floorOf(place: Place, action: PathAction): Floor | undefined;
}

export interface WorkspaceOptions {
  readonly root: string;
  /** More folders that count as inside. */
  readonly extraRoots?: readonly string[];
  /** Folders that may be read and still count as outside, such as the one for stored outputs. */
  readonly readableRoots?: readonly string[];
  /** What Toolwright keeps for itself: not for tools, wherever it lies, but for what is readable in it. */
  readonly stateFolder?: string;
}

export async function openPaths(options: WorkspaceOptions): Promise<WorkspacePaths> {
  const roots = await openRoots(options);
  const { stateFolder } = options;
  return {
    root: roots.root,
    roots,
    async resolve(path, { followLast = true, view = disk } = {}) {
      const outcome = await walkPath(path, { from: roots.root, followLast, view });
      if (outcome.status === "reached") return toPlace(path, outcome, roots);
      if (roots.mayRead(outcome.stoppedAt)) throw outcome.error;
      // Why a walk stopped outside is nobody's business: it would tell what is there.
      return toPlace(path, { canonical: outcome.stoppedAt, kind: "missing", links: [] }, roots);
    },
    floorOf: (place, action) => judgePath(place, action, { roots, stateFolder }),
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
