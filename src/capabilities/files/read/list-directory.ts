import { join } from "node:path";
import type { DirectoryEntry } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { isTemporaryName } from "../tree/temporary-name.ts";
import type { ReadableTree, TreeEntry } from "../tree/tree.ts";

export interface ListOptions {
  readonly recursive: boolean;
  readonly maxEntries: number;
  readonly signal: AbortSignal;
  readonly tree: ReadableTree;
  /** Paths that fail this test are left out, with everything in them. Default: none. */
  readonly isListed?: (canonical: string) => boolean;
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
  for (const entry of await shownEntries(canonical, options)) {
    if (isTemporaryName(entry.name)) continue;
    const place = join(canonical, entry.name);
    const { kind, ...about } = entry;
    yield { ...about, path: options.nameOf(place), type: kind === "special" ? "other" : kind };
    if (!options.recursive || kind !== "directory") continue;
    try {
      yield* walkDirectory(place, options);
    } catch (error) {
      // The folder vanished, became a link or may not be read: it stays listed without its content.
      if (!(error instanceof ToolError)) throw error;
    }
  }
}

async function shownEntries(
  canonical: string,
  { tree, maxEntries, isListed = () => true }: ListOptions,
): Promise<readonly TreeEntry[]> {
  const isShown = ({ name }: TreeEntry) => isListed(join(canonical, name));
  const first = await tree.entries(canonical, maxEntries);
  const shown = first.filter(isShown);
  // Those left out make room for others, if there are more.
  if (shown.length === first.length || first.length < maxEntries) return shown;
  return (await tree.entries(canonical, Number.POSITIVE_INFINITY)).filter(isShown);
}
