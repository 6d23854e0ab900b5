import { lstat } from "node:fs/promises";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { foldersBetween, noPlaces, type ProtectedPlaces } from "./protected-places.ts";

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
  for (const folder of folders) {
    const kind = await kindOf(folder);
    if (kind === "missing") return { ...noPlaces, pinned, absent: [{ path: folder }] };
    if (kind === "link") return { ...noPlaces, pinned, links: [folder] };
    pinned.push(folder);
  }
  const kind = await kindOf(path);
  if (kind === "missing") return { ...noPlaces, pinned, absent: [{ path }] };
  return kind === "link" ? { ...noPlaces, pinned, links: [path] } : { ...noPlaces, pinned, readOnly: [path] };
}

async function kindOf(path: string): Promise<"link" | "missing" | "there"> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return "missing";
  return found.isSymbolicLink() ? "link" : "there";
}
