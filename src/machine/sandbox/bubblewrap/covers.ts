import { lstat, realpath } from "node:fs/promises";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { InheritedFiles } from "./inherited-files.ts";
import { foldersAbove, isShown, type Mount, pathDepth } from "./mounts.ts";

/** A mount over a path, so that commands cannot see it, change it or move it. */
export interface Cover {
  /** Absolute, without links. */
  readonly path: string;
  readonly kind: CoverKind;
}

/** The strictest first: a path that is to be covered in several ways gets the first of them. */
const kinds = ["hidden-folder", "hidden-file", "empty-file", "read-only", "pinned"] as const;
type CoverKind = (typeof kinds)[number];

interface CoverPlaces {
  readonly mounts: readonly Mount[];
  /** Whether a person has let the command move or remove this folder. */
  isMovable(folder: string): boolean;
}

/**
 * One cover for each path, parents first, and a pin on each folder above a cover up to the writable mount around it. A
 * folder that can be renamed takes the mounts in it along, and leaves its old path unprotected.
 */
export function arrangeCovers(
  covers: readonly Cover[],
  { mounts, isMovable }: CoverPlaces,
): readonly Cover[] {
  const shown = new Map(mounts.map((mount) => [mount.path, mount]));
  const nearest = (path: string) =>
    [path, ...foldersAbove(path)].map((each) => shown.get(each)).find((mount) => mount !== undefined);
  const strictest = new Map<string, CoverKind>();
  for (const { path, kind } of covers) {
    const mount = nearest(path);
    const isKept = isBlind(kind) || (mount?.option === "bind" && isShown(mount));
    const other = strictest.get(path);
    if (isKept && (other === undefined || kinds.indexOf(kind) < kinds.indexOf(other)))
      strictest.set(path, kind);
  }
  const needed = [...strictest].filter(([path, kind]) => {
    const above = foldersAbove(path).map((folder) => strictest.get(folder));
    if (above.includes("hidden-folder") || (kind === "pinned" && isMovable(path))) return false;
    // An entry of a read-only folder can be neither changed nor moved; a mount on it would make it writable again.
    return isBlind(kind) || !above.includes("read-only");
  });
  const arranged = new Map(needed);
  for (const [path] of needed) {
    const mount = nearest(path);
    if (mount?.option !== "bind" || !isShown(mount)) continue;
    for (const folder of foldersAbove(path)) {
      if (relativeInside(folder, mount.path) !== undefined || strictest.get(folder) === "read-only") break;
      if (!arranged.has(folder) && !isMovable(folder)) arranged.set(folder, "pinned");
    }
  }
  return [...arranged]
    .map(([path, kind]) => ({ path, kind }))
    .sort((one, other) => pathDepth(one.path) - pathDepth(other.path));
}

/** Whether it shows nothing of the path. */
function isBlind(kind: CoverKind): boolean {
  return kind !== "read-only" && kind !== "pinned";
}

export async function coverArguments(
  { path, kind }: Cover,
  descriptors: Pick<InheritedFiles, "add">,
): Promise<string[]> {
  switch (kind) {
    case "pinned":
      return ["--bind", path, path];
    case "read-only":
      return ["--ro-bind", path, path];
    case "hidden-folder":
      return ["--perms", "0000", "--tmpfs", path];
    case "hidden-file":
      // Opening a device on a nodev mount fails, even for root.
      return ["--ro-bind", "/dev/null", path];
    case "empty-file":
      return ["--ro-bind-data", String(await descriptors.add(Buffer.alloc(0))), path];
  }
}

/** Hides the targets of the paths that are in one of the folders. */
export async function hideAll(paths: readonly string[], folders: readonly string[]): Promise<Cover[]> {
  const covers = await Promise.all([...new Set(paths)].map((path) => hideOne(path, folders)));
  return covers.flat();
}

async function hideOne(path: string, folders: readonly string[]): Promise<Cover[]> {
  try {
    const place = await realpath(path);
    if (!folders.some((folder) => relativeInside(folder, place) !== undefined)) return [];
    const isFolder = (await lstat(place)).isDirectory();
    return [{ path: place, kind: isFolder ? "hidden-folder" : "hidden-file" }];
  } catch {
    return [];
  }
}
