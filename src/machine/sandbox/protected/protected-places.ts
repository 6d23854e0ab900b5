import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createNameTest } from "../../../shared/glob/name-test.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { findGitPlaces } from "../bubblewrap/git-places.ts";
import type { SandboxBounds } from "../sandbox.ts";
import { isPlaceholder, type Placeholder } from "./placeholders.ts";
import { type FoundPath, isDotName } from "./scan-names.ts";

/** The entries directly in a root that must not change while a command may write there. */
export interface ProtectedPlaces {
  readonly readOnly: readonly string[];
  /** Writable, but cannot be moved or removed, because their content is protected by path. */
  readonly pinned: readonly string[];
  readonly absent: readonly Placeholder[];
  /** Links, which cannot be protected because they can always be replaced. */
  readonly links: readonly string[];
}

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
      if (!entry.isDirectory()) return { ...noPlaces, readOnly: [path] };
      if (isPlaceholder(path)) return { ...noPlaces, absent: [{ path }] };
      if (entry.name !== ".git") return { ...noPlaces, readOnly: [path] };
      const { pinned, ...inGit } = await findGitPlaces(path);
      return { ...noPlaces, ...inGit, pinned: [path, ...pinned] };
    }),
  );
  const present = new Set(found.map(({ name }) => name));
  const missing = namesToGuard(names, isHome).filter((name) => !present.has(name));
  return {
    readOnly: places.flatMap(({ readOnly }) => readOnly),
    pinned: places.flatMap(({ pinned }) => pinned),
    absent: [
      ...places.flatMap(({ absent }) => absent),
      ...missing.map((name) => ({ path: join(root, name) })),
    ],
    links: places.flatMap(({ links }) => links),
  };
}

/** Finds the protected entries deeper in a root. */
export async function findNestedPlaces(
  root: string,
  found: readonly FoundPath[],
): Promise<readonly ProtectedPlaces[]> {
  // A link cannot be pinned; the file tools and the scan after the command look at where it leads.
  const nested = found.filter(({ path, kind }) => kind !== "link" && dirname(path) !== root);
  return Promise.all(
    nested.map(async ({ path, kind }): Promise<ProtectedPlaces> => {
      if (await isPlaceholder(path)) return noPlaces;
      if (kind !== "folder" || basename(path) !== ".git") return { ...noPlaces, readOnly: [path] };
      const inGit = await findGitPlaces(path);
      return { ...noPlaces, ...inGit, pinned: [path, ...inGit.pinned] };
    }),
  );
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

export const noPlaces: ProtectedPlaces = { readOnly: [], pinned: [], absent: [], links: [] };

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
