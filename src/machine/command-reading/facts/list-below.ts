import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FoundEntry } from "../command-finding.ts";

/**
 * Everything beneath a folder, or only what is directly in it, without following links; undefined if it is more than
 * that many entries, or a folder cannot be read. What is no folder has nothing beneath it.
 */
export async function listBelow(
  folder: string,
  { most, isFlat = false }: { readonly most: number; readonly isFlat?: boolean },
): Promise<readonly FoundEntry[] | undefined> {
  const found: FoundEntry[] = [];
  const folders = [""];
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(none);
    if (entries === undefined || found.length + entries.length > most) return undefined;
    for (const entry of entries) {
      const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
      const kind = entry.isDirectory() ? "directory" : entry.isFile() ? "file" : "other";
      found.push({ path, kind });
      if (kind === "directory" && !isFlat) folders.push(path);
    }
  }
  return found;
}

/** A file, or nothing at all, is like an empty folder. */
function none(error: NodeJS.ErrnoException): [] | undefined {
  return error.code === "ENOTDIR" || error.code === "ENOENT" ? [] : undefined;
}
