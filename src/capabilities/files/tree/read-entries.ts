import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { type OpenOptions, openContained } from "../../../machine/paths/open-contained.ts";
import { errorCodeOf } from "../../../shared/files/error-code.ts";
import { kindOf } from "../../../shared/files/kind-of.ts";
import type { TreeEntry } from "./tree.ts";

/** Entries of a folder on disk, by name. Links are shown but never followed. */
export async function readEntries(
  canonical: string,
  { maxEntries, ...options }: Omit<OpenOptions, "kind"> & { maxEntries: number },
): Promise<TreeEntry[]> {
  const { handle, location } = await openContained(canonical, { ...options, kind: "directory" });
  try {
    const names = (await readdir(location)).sort();
    const entries: TreeEntry[] = [];
    for (let start = 0; start < names.length && entries.length < maxEntries; start += batchSize) {
      const batch = names.slice(start, start + batchSize);
      const found = await Promise.all(batch.map((name) => readEntry(name, join(location, name))));
      entries.push(...found.filter((entry) => entry !== undefined));
    }
    return entries;
  } finally {
    await handle.close();
  }
}

// Enough to keep the thread pool busy.
const batchSize = 64;

async function readEntry(name: string, location: string): Promise<TreeEntry | undefined> {
  try {
    const stats = await lstat(location);
    const kind = kindOf(stats);
    return {
      name,
      kind,
      sizeBytes: stats.size,
      modifiedAt: stats.mtime.toISOString(),
      ...(kind === "link" && { linkTarget: await readlink(location) }),
    };
  } catch (error) {
    // Removed or replaced since the names were read.
    if (errorCodeOf(error) === "ENOENT" || errorCodeOf(error) === "EINVAL") return undefined;
    throw error;
  }
}
