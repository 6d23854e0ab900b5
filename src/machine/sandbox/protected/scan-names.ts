import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { kindOf } from "../../../shared/files/kind-of.ts";
import { createNameTest } from "../../../shared/glob/name-test.ts";

/** What commands must be kept from, below a root. */
export interface FoundNames {
  /** Protected, at any depth; a `.git` folder stands for itself. */
  readonly protectedPaths: readonly FoundPath[];
  /** Sensitive, at any depth. */
  readonly sensitivePaths: readonly string[];
  /** Unix sockets, through which a command could speak to a program outside. */
  readonly sockets: readonly string[];
  /** Folders that git would take for a repository without a `.git`. */
  readonly bareRepositories: readonly string[];
  /** False if there is too much to look through. */
  readonly isComplete: boolean;
}

export interface FoundPath {
  readonly path: string;
  readonly kind: ReturnType<typeof kindOf>;
}

interface ScannedNames {
  readonly protectedNames: readonly string[];
  readonly sensitiveNames: readonly string[];
  /** Canonical; the folder in which every name with a dot before it is protected. Default: none. */
  readonly home?: string | undefined;
}

interface FolderReading extends Omit<FoundNames, "bareRepositories" | "isComplete"> {
  readonly isBare: boolean;
  readonly inner: readonly string[];
}

/**
 * Looks through all of a root's folders. What package managers install is skipped: it is public, and so much that looking
 * through it before every command would take longer than most commands.
 */
export function createNameScanner(
  { protectedNames, sensitiveNames, home }: ScannedNames,
  { maxFolders = 50_000 }: { readonly maxFolders?: number } = {},
): (root: string) => Promise<FoundNames> {
  const isProtected = createNameTest(protectedNames);
  const isSensitive = createNameTest(sensitiveNames);

  const read = (folder: string, entries: readonly Dirent[]): FolderReading => {
    const protectedPaths: FoundPath[] = [];
    const sensitivePaths: string[] = [];
    const sockets: string[] = [];
    const inner: string[] = [];
    const names = new Set<string>();
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (isSensitive(entry.name)) sensitivePaths.push(path);
      if (isProtected(entry.name) || (folder === home && isDotName(entry.name)))
        protectedPaths.push({ path, kind: kindOf(entry) });
      if (entry.isSocket()) sockets.push(path);
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) inner.push(path);
      if (partsOfRepository.has(entry.name)) names.add(entry.name);
    }
    const isBare =
      names.has("HEAD") && (names.has("commondir") || (names.has("objects") && names.has("refs")));
    return { protectedPaths, sensitivePaths, sockets, inner, isBare };
  };
  const look = createFolderCache(read);

  return async (root) => {
    const found: FolderReading[] = [];
    const bareRepositories: string[] = [];
    const waiting = [root];
    while (waiting.length > 0 && found.length < maxFolders) {
      const batch = waiting.splice(-atOnce);
      const readings = await Promise.all(batch.map(look));
      for (const [index, reading] of readings.entries()) {
        if (reading === undefined) continue;
        found.push(reading);
        if (reading.isBare) bareRepositories.push(batch[index]!);
        waiting.push(...reading.inner);
      }
    }
    return {
      protectedPaths: found.flatMap((each) => each.protectedPaths),
      sensitivePaths: found.flatMap((each) => each.sensitivePaths),
      sockets: found.flatMap((each) => each.sockets),
      bareRepositories,
      isComplete: waiting.length === 0,
    };
  };
}

/** Programs keep their settings under such names in the home folder, and many of them name other programs. */
export function isDotName(name: string): boolean {
  return name.startsWith(".");
}

// Enough to keep the thread pool busy, and few enough that others get their turn.
const atOnce = 64;

const partsOfRepository = new Set(["HEAD", "objects", "refs", "commondir"]);

/** Folders in which no name counts as sensitive or protected: what git keeps itself, and what packages bring along. */
const skippedFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * Reads folders, and again only those that have changed, so that looking through all of them is cheap. A reading depends
 * on nothing but the folder's path and its entries.
 */
function createFolderCache(read: (folder: string, entries: readonly Dirent[]) => FolderReading) {
  const known = new Map<string, { stamp: string; isSettled: boolean; reading: FolderReading }>();

  const lookAgain = async (folder: string, stamp: string, mtimeMs: number) => {
    try {
      const isSettled = Date.now() - mtimeMs > settlingMs;
      const reading = read(folder, await readdir(folder, { withFileTypes: true }));
      known.set(folder, { stamp, isSettled, reading });
      return reading;
    } catch {
      known.delete(folder);
      return undefined;
    }
  };

  /** Undefined if there is no such folder, or it may not be read. */
  return async (folder: string) => {
    const found = await lstat(folder, { bigint: true }).catch(() => undefined);
    if (!found?.isDirectory()) {
      known.delete(folder);
      return undefined;
    }
    const { dev, ino, mtimeNs, ctimeNs } = found;
    const stamp = `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
    const last = known.get(folder);
    if (last?.isSettled && last.stamp === stamp) return last.reading;
    return lookAgain(folder, stamp, Number(ctimeNs / 1_000_000n));
  };
}

// The clock of file systems is coarser than ours: two changes may get one time.
const settlingMs = 100;
