import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createNameTest } from "../../../shared/glob/name-test.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { findGitPlaces } from "../bubblewrap/git-places.ts";
import type { SandboxBounds } from "../sandbox.ts";
import { isPlaceholder } from "./placeholders.ts";
import { joinPlaces, noPlaces, type ProtectedPlaces } from "./places.ts";
import { type FoundPath, isDotName } from "./scan-names.ts";

/** Finds the entries directly in a root that must not change while a command may write there. */
export async function findProtectedPlaces(
  root: string,
  names: GuardedNames,
  { isHome }: { isHome: boolean },
): Promise<ProtectedPlaces> {
  const isProtected = createNameTest(names.protectedNames);
  const entries = await readdir(root, { withFileTypes: true });
  const found = entries.filter(({ name }) => isProtected(name) || (isHome && isDotName(name)));
  const places = await Promise.all(
    found.map(async (entry): Promise<ProtectedPlaces> => {
      const path = join(root, entry.name);
      // Many keep their settings elsewhere, with links to them; one that a command replaces is found afterwards.
      if (entry.isSymbolicLink()) return isProtected(entry.name) ? { ...noPlaces, links: [path] } : noPlaces;
      const isFolder = entry.isDirectory();
      if (isFolder && isPlaceholder(path)) return { ...noPlaces, absent: [{ path }] };
      return protect(path, isFolder);
    }),
  );
  const present = new Set(found.map(({ name }) => name));
  const missing = namesToGuard(names, isHome).filter((name) => !present.has(name));
  const absent = missing.map((name) => ({ path: join(root, name) }));
  return joinPlaces([...places, { ...noPlaces, absent }]);
}

async function protect(path: string, isFolder: boolean): Promise<ProtectedPlaces> {
  if (!isFolder || basename(path) !== ".git") return { ...noPlaces, readOnly: [path] };
  const inGit = await findGitPlaces(path);
  return { ...inGit, pinned: [path, ...inGit.pinned] };
}

/** Finds the protected entries deeper in a root. */
export async function findNestedPlaces(
  root: string,
  found: readonly FoundPath[],
): Promise<readonly ProtectedPlaces[]> {
  // A link cannot be pinned; the file tools and the scan after the command look at where it leads.
  const nested = found.filter(
    ({ path, kind }) => kind !== "link" && dirname(path) !== root && !isPlaceholder(path),
  );
  return Promise.all(nested.map(({ path, kind }) => protect(path, kind === "directory")));
}

/** The folders between a root and a path in it, outermost first. */
export function foldersBetween(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); relativeInside(folder, root) === undefined; folder = dirname(folder))
    folders.unshift(folder);
  return folders;
}

/** Whether a folder may be moved or removed, because it or one above it that is not a root may be. */
export function movableBy({ writable = [] }: Pick<SandboxBounds, "writable">, roots: readonly string[]) {
  const places = writable.filter((one) => roots.every((root) => relativeInside(one, root) === undefined));
  return (folder: string) => places.some((one) => relativeInside(one, folder) !== undefined);
}

export interface GuardedNames {
  /** `*` matches any characters. */
  readonly protectedNames: readonly string[];
  /** Those that programs read only in the home folder. */
  readonly homeNames: readonly string[];
}

/** Names that must not even be created directly in a root. */
function namesToGuard({ protectedNames, homeNames }: GuardedNames, isHome: boolean): readonly string[] {
  const named = protectedNames.filter((name) => !name.includes("*") && !unguarded.has(name));
  return isHome ? named : named.filter((name) => !homeNames.includes(name));
}

// Yarn reads it wherever it exists, and stops if it is a folder. One that a command makes is found afterwards.
const unguarded = new Set([".yarnrc.yml"]);
