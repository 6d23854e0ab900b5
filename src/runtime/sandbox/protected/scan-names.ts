import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createNameTest } from "../../../shared/glob/name-test.ts";
import { findGitPlaces } from "../bubblewrap/git-places.ts";
import { readGitIndex } from "./git-index.ts";

/** Protected and sensitive paths below a root, as far as a bounded scan finds them. */
export interface FoundNames {
  /** Protected, not directly in the root. */
  readonly protectedPaths: readonly string[];
  /** Sensitive, at any depth. */
  readonly sensitivePaths: readonly string[];
}

export async function scanNames(
  root: string,
  {
    protectedNames,
    sensitiveNames,
  }: { protectedNames: readonly string[]; sensitiveNames: readonly string[] },
): Promise<FoundNames> {
  const isProtected = createNameTest(protectedNames);
  const isSensitive = createNameTest(sensitiveNames);
  const protectedPaths: string[] = [];
  const sensitivePaths: string[] = [];
  for await (const { folder, entry } of walk(root)) {
    const path = join(folder, entry.name);
    if (isSensitive(entry.name)) sensitivePaths.push(path);
    if (folder === root || !isProtected(entry.name) || entry.isSymbolicLink()) continue;
    if (entry.name === ".git" && entry.isDirectory()) {
      protectedPaths.push(...(await findGitPlaces(path)).readOnly);
    } else protectedPaths.push(path);
  }
  return {
    protectedPaths: protectedPaths.slice(0, maxFound),
    sensitivePaths: (await withoutTracked(root, sensitivePaths)).slice(0, maxFound),
  };
}

// Each path found costs a mount for every command.
const maxFound = 64;
const maxFolders = 2000;
const maxDepth = 8;

/** Breadth first, so that the limits cut off the deepest folders. */
async function* walk(root: string): AsyncGenerator<{ folder: string; entry: Dirent }> {
  let level = [root];
  let visited = 0;
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      visited += 1;
      if (visited > maxFolders) return;
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        yield { folder, entry };
        if (entry.isDirectory() && !skipped.has(entry.name)) next.push(join(folder, entry.name));
      }
    }
    level = next;
  }
}

const skipped = new Set([".git", "node_modules"]);

/**
 * Drops files that git tracks: their content can be read from git's objects anyway, and masked they would only look
 * changed to git. In an index that compresses names a path is not found, so the file stays masked.
 */
async function withoutTracked(root: string, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return paths;
  const index = await readGitIndex(root);
  return paths.filter((path) => !index.tracks(path));
}
