import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { DirectoryEntry } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { errorCodeOf } from "./file-error.ts";
import { kindOf } from "./kind-of.ts";
import { openContained } from "./open-contained.ts";

export interface ListOptions {
  readonly recursive: boolean;
  readonly maxEntries: number;
  readonly signal: AbortSignal;
  readonly shownPath: string;
  nameOf(canonical: string): string;
  mayOpen(canonical: string): boolean;
}

/** What is in a directory, by name, each one before what is in it. Links are shown and never followed. */
export async function listDirectory(
  canonical: string,
  options: ListOptions,
): Promise<{ entries: DirectoryEntry[]; truncated: boolean }> {
  const entries: DirectoryEntry[] = [];
  // One more than wanted, which tells whether there are more.
  for await (const entry of walkDirectory(canonical, { ...options, maxEntries: options.maxEntries + 1 })) {
    if (entries.length === options.maxEntries) return { entries, truncated: true };
    entries.push(entry);
  }
  return { entries, truncated: false };
}

async function* walkDirectory(canonical: string, options: ListOptions): AsyncGenerator<DirectoryEntry> {
  for (const entry of await readEntries(canonical, options)) {
    yield entry;
    if (!options.recursive || entry.type !== "directory") continue;
    try {
      yield* walkDirectory(join(canonical, entry.name), options);
    } catch (error) {
      // It vanished, was swapped for a link or may not be read: it stays listed, and the rest goes on.
      if (!(error instanceof ToolError)) throw error;
    }
  }
}

async function readEntries(canonical: string, options: ListOptions): Promise<DirectoryEntry[]> {
  options.signal.throwIfAborted();
  const { handle, location } = await openContained(canonical, { ...options, kind: "directory" });
  try {
    const names = (await readdir(location)).sort();
    const entries: DirectoryEntry[] = [];
    for (let start = 0; start < names.length && entries.length < options.maxEntries; start += batchSize) {
      const batch = names.slice(start, start + batchSize);
      const found = await Promise.all(
        batch.map((name) => readEntry(name, join(location, name), options.nameOf(join(canonical, name)))),
      );
      entries.push(...found.filter((entry) => entry !== undefined));
    }
    return entries;
  } finally {
    await handle.close();
  }
}

// Enough to keep the thread pool busy.
const batchSize = 64;

async function readEntry(name: string, location: string, path: string): Promise<DirectoryEntry | undefined> {
  try {
    const stats = await lstat(location);
    const kind = kindOf(stats);
    return {
      name,
      path,
      type: kind === "special" ? "other" : kind,
      sizeBytes: stats.size,
      modifiedAt: stats.mtime.toISOString(),
      ...(kind === "link" && { linkTarget: await readlink(location) }),
    };
  } catch (error) {
    // Gone since the names were read.
    if (errorCodeOf(error) === "ENOENT" || errorCodeOf(error) === "EINVAL") return undefined;
    throw error;
  }
}
