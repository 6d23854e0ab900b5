import { realpath, stat } from "node:fs/promises";
import { resolve as absolutePath } from "node:path";
import { findHomeFolder } from "../../../machine/locks/index.ts";
import { type Place, type ResolveOptions, resolvePlace } from "../../../machine/paths/index.ts";
import { createRoots, type Roots } from "../../../shared/files/workspace-roots.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type Floor, findSensitiveName, judgePath, type PathAction } from "./judge-path.ts";
import { noPublicFiles, type PublicFiles } from "./public-files.ts";

/** Resolves paths in a session's folders and applies the floor; the only place that does either. */
export interface WorkspacePaths {
  readonly root: string;
  readonly roots: Roots;
  /** Absolute; folders and files of Toolwright that tools may not touch. */
  readonly own: readonly string[];
  /** The paths of a session that may also read this folder, which is absolute and contains no links. */
  withReadable(folder: string): WorkspacePaths;
  /** Resolves a path as the kernel would. Throws if it is not a valid path. */
  resolve(path: string, how?: ResolveOptions): Promise<Place>;
  readonly publicFiles: PublicFiles;
  /** The floor's verdict on a place, independent of rules and mode. */
  floorOf(place: Place, action: PathAction): Floor | undefined;
}

export interface WorkspaceOptions {
  readonly root: string;
  /** Further folders that count as inside the workspace. */
  readonly extraRoots?: readonly string[];
  /** Folders that may be read but count as outside, such as the one for stored outputs. */
  readonly readableRoots?: readonly string[];
  /** Folders and files of Toolwright: off limits to tools wherever they are, except for readable roots in them. */
  readonly ownFolders?: readonly string[];
  /** A folder among those that this session may use: the worktree of a sub-agent. */
  readonly lentFolder?: string | undefined;
  /** Absolute; files and folders that this process loads as code, such as tool folders. */
  readonly codePaths?: readonly string[];
  /** The user's home folder. Default: as the process has it. */
  readonly home?: string;
  /** The files with sensitive names that are not secrets. Default: there are none. */
  publicFiles?(root: string): PublicFiles;
}

export async function openPaths(options: WorkspaceOptions): Promise<WorkspacePaths> {
  const roots = await openRoots(options);
  const home = options.home ?? findHomeFolder();
  return createPaths(roots, {
    ...options,
    home: home && (await realpath(home).catch(() => home)),
    publicFiles: options.publicFiles?.(roots.root) ?? noPublicFiles,
  });
}

function createPaths(
  roots: Roots,
  options: Pick<WorkspaceOptions, "ownFolders" | "lentFolder" | "codePaths"> & {
    readonly home: string | undefined;
    readonly publicFiles: PublicFiles;
  },
): WorkspacePaths {
  const { ownFolders: own = [], lentFolder: lent, codePaths: code = [], home, publicFiles } = options;
  return {
    root: roots.root,
    roots,
    own,
    publicFiles,
    withReadable: (folder) => createPaths(roots.withReadable(folder), options),
    async resolve(path, how) {
      const place = await resolvePlace(path, roots, how);
      const isNamedSo = findSensitiveName(roots.namesBeneath(place.canonical)) !== undefined;
      return isNamedSo && (await publicFiles.list()).has(place.canonical)
        ? { ...place, isPublic: true }
        : place;
    },
    floorOf: (place, action) => judgePath(place, action, { roots, own, lent, code, home }),
  };
}

async function openRoots({ root, extraRoots = [], readableRoots = [] }: WorkspaceOptions): Promise<Roots> {
  return createRoots({
    root: await openRoot(root),
    extraRoots: await Promise.all(extraRoots.map(openRoot)),
    readableRoots: await Promise.all(readableRoots.map(openRoot)),
  });
}

/** Resolved once, so that a root keeps its meaning for the whole session. */
async function openRoot(root: string): Promise<string> {
  const hint = "Use a folder that exists.";
  const canonical = await realpath(absolutePath(root)).catch((cause: unknown) => {
    throw new ToolError("not-found", `the workspace folder ${root} cannot be opened`, { hint, cause });
  });
  if (!(await stat(canonical)).isDirectory()) {
    throw new ToolError("not-a-directory", `the workspace ${root} is not a folder`, { hint });
  }
  return canonical;
}
