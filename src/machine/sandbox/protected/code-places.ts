import { lstat } from "node:fs/promises";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { noPlaces, type ProtectedPlaces } from "./places.ts";
import { foldersBetween } from "./protected-places.ts";

/** A path whose content this process loads as code, and the folders between its root and it, outermost first. */
interface CodePath {
  readonly path: string;
  readonly folders: readonly string[];
}

/** Finds the places that must not change, so that commands cannot write code that this process loads. */
export function findCodePlaces(
  paths: readonly string[],
  roots: readonly string[],
): Promise<readonly ProtectedPlaces[]> {
  return Promise.all(codeInRoots(paths, roots).map(findPlaces));
}

/** Gives those of the paths that are in a root, where a command could write them. */
export function codeInRoots(paths: readonly string[], roots: readonly string[]): readonly CodePath[] {
  return paths.flatMap((path) => {
    const root = roots.find((each) => relativeInside(each, path) !== undefined);
    return root === undefined ? [] : [{ path, folders: foldersBetween(root, path) }];
  });
}

async function findPlaces({ path, folders }: CodePath): Promise<ProtectedPlaces> {
  const pinned: string[] = [];
  for (const place of [...folders, path]) {
    const found = await lstat(place).catch(() => undefined);
    if (found === undefined) return { ...noPlaces, pinned, absent: [{ path: place }] };
    if (found.isSymbolicLink()) return { ...noPlaces, pinned, links: [place] };
    if (place !== path) pinned.push(place);
  }
  return { ...noPlaces, pinned, readOnly: [path] };
}
