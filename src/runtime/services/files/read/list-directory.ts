import { join } from "node:path";
import type { DirectoryEntry } from "../../../../tool/services/files.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { isTemporaryName } from "../tree/temporary-name.ts";
import type { Tree, TreeEntry } from "../tree/tree.ts";

export interface ListOptions {
  readonly recursive: boolean;
  readonly maxEntries: number;
  readonly signal: AbortSignal;
  readonly tree: Tree;
  nameOf(canonical: string): string;
}

/** Lists a directory by name, each folder before its content. Links are shown but never followed. */
export async function listDirectory(
  canonical: string,
  options: ListOptions,
): Promise<{ entries: DirectoryEntry[]; truncated: boolean }> {
  const entries: DirectoryEntry[] = [];
  // One more than wanted, to know whether the list is truncated.
  for await (const entry of walkDirectory(canonical, { ...options, maxEntries: options.maxEntries + 1 })) {
    if (entries.length === options.maxEntries) return { entries, truncated: true };
    entries.push(entry);
  }
  return { entries, truncated: false };
}

async function* walkDirectory(canonical: string, options: ListOptions): AsyncGenerator<DirectoryEntry> {
  options.signal.throwIfAborted();
  for (const entry of await options.tree.entries(canonical, options.maxEntries)) {
    if (isTemporaryName(entry.name)) continue;
    const place = join(canonical, entry.name);
    yield toDirectoryEntry(entry, options.nameOf(place));
    if (!options.recursive || entry.kind !== "directory") continue;
    try {
      yield* walkDirectory(place, options);
    } catch (error) {
      // The folder vanished, became a link or may not be read: it stays listed without its content.
      if (!(error instanceof ToolError)) throw error;
    }
  }
}

function toDirectoryEntry({ kind, ...entry }: TreeEntry, path: string): DirectoryEntry {
  return { ...entry, path, type: kind === "special" ? "other" : kind };
}
