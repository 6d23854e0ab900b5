import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createNameTest } from "../../../shared/glob/name-test.ts";
import { findGitPlaces } from "../bubblewrap/git-places.ts";
import { isPlaceholder, type Placeholder } from "./placeholders.ts";

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
  { protectedNames, isHome }: { protectedNames: readonly string[]; isHome: boolean },
): Promise<ProtectedPlaces> {
  const isProtected = createNameTest(protectedNames);
  const entries = await readdir(root, { withFileTypes: true });
  const found = entries.filter(({ name }) => isProtected(name));
  const places = await Promise.all(
    found.map(async (entry): Promise<ProtectedPlaces> => {
      const path = join(root, entry.name);
      if (entry.isSymbolicLink()) return { ...noPlaces, links: [path] };
      if (!entry.isDirectory()) return { ...noPlaces, readOnly: [path] };
      if (isPlaceholder(path)) return { ...noPlaces, absent: [{ path }] };
      if (entry.name !== ".git") return { ...noPlaces, readOnly: [path] };
      return { ...noPlaces, pinned: [path], ...(await findGitPlaces(path)) };
    }),
  );
  const present = new Set(found.map(({ name }) => name));
  const missing = guardedNames(protectedNames, isHome).filter((name) => !present.has(name));
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

export const noPlaces: ProtectedPlaces = { readOnly: [], pinned: [], absent: [], links: [] };

/**
 * Names that must not even be created. Shell startup files matter only in the home folder, where shells look for them.
 */
export function guardedNames(protectedNames: readonly string[], isHome: boolean): readonly string[] {
  const named = protectedNames.filter((name) => !name.includes("*"));
  return isHome ? named : named.filter((name) => readOnOpening.has(name));
}

// Programs read these on their own in any folder that is opened or entered.
const readOnOpening = new Set([".git", ".husky", ".mcp.json", ".vscode", ".idea", ".envrc", ".toolwright"]);
