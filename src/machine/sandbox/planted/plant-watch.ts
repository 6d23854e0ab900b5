import type { BigIntStats } from "node:fs";
import { lstat, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { readSmallFile } from "../../../shared/files/read-small-file.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { findRepositoryAround } from "../protected/git-index.ts";
import { isPlaceholder } from "../protected/placeholders.ts";
import type { FoundNames, FoundPath } from "../protected/scan-names.ts";
import { parseGitIndex } from "./parse-git-index.ts";
import type { PlantedEntry } from "./planted-entry.ts";

/** Compares the roots before and after a command that may write, and finds what it has left for other programs to run. */
interface PlantWatch {
  look(): Promise<Sight>;
  /** What has appeared or changed since. A `.git/HEAD` that has become unusable is put back. */
  compare(before: Sight, options: { readonly writable: readonly string[] }): Promise<readonly PlantedEntry[]>;
  /** The submodules that commands have made so far, without those accepted. */
  submodules(): readonly string[];
  accept(submodules: readonly string[]): void;
}

/** What there was at one moment. */
interface Sight {
  /** By path; the stamp changes with the entry. */
  readonly entries: ReadonlyMap<string, { readonly kind: PlantedEntry["kind"]; readonly stamp: string }>;
  readonly heads: ReadonlyMap<string, string>;
}

export interface PlantWatchOptions {
  readonly roots: readonly string[];
  /** The sandbox keeps commands from changing what is protected, so that only what is new need be looked for. */
  readonly isConfined: boolean;
  findNames(root: string): Promise<FoundNames>;
}

export function createPlantWatch({ roots, isConfined, findNames }: PlantWatchOptions): PlantWatch {
  const made = new Set<string>();
  const indexes = new Map<string, { stamp: string; links: readonly string[] | undefined }>();

  const look = async (): Promise<Sight> => {
    const entries = new Map<string, { kind: PlantedEntry["kind"]; stamp: string }>();
    const heads = new Map<string, string>();
    for (const root of roots) {
      const { protectedPaths, bareRepositories } = await findNames(root);
      for (const found of protectedPaths) {
        if (await isPlaceholder(found.path)) continue;
        const kind = basename(found.path) === ".git" ? "repository" : "settings";
        entries.set(found.path, {
          kind,
          stamp: await (isConfined ? identityOf(found.path) : stampOf(found)),
        });
      }
      for (const path of bareRepositories) entries.set(path, { kind: "bare-repository", stamp: "" });
      const { repository, gitFolder } = await findRepositoryAround(root);
      const links = await findGitlinks(join(gitFolder, "index"));
      if (links === undefined) entries.set(join(gitFolder, "index"), { kind: "unreadable", stamp: "" });
      for (const link of links ?? []) entries.set(join(repository, link), { kind: "submodule", stamp: "" });
      if (repository === root)
        heads.set(join(gitFolder, "HEAD"), await readSmallFile(join(gitFolder, "HEAD")));
    }
    return { entries, heads };
  };

  /** Undefined if the index cannot be parsed. */
  const findGitlinks = async (file: string): Promise<readonly string[] | undefined> => {
    const stamp = await stampOfFile(file);
    if (stamp === "") return [];
    const last = indexes.get(file);
    if (last?.stamp === stamp) return last.links;
    const index = await readFile(file).catch(() => undefined);
    const links = index === undefined ? [] : linksIn(index);
    indexes.set(file, { stamp, links });
    return links;
  };

  return {
    look,
    async compare(before, { writable }) {
      const restored = await restoreHeads(before.heads);
      const after = await look();
      const isAllowed = (path: string) =>
        writable.some(
          (one) => relativeInside(one, path) !== undefined || relativeInside(path, one) !== undefined,
        );
      const planted = [...after.entries].flatMap(([path, { kind, stamp }]): PlantedEntry[] => {
        const old = before.entries.get(path);
        const isSame = old?.kind === kind && old.stamp === stamp;
        // Nobody can have seen from a path that git would enter it.
        const isExpected = (kind === "settings" || kind === "repository") && isAllowed(path);
        return isSame || isExpected ? [] : [{ path, kind }];
      });
      for (const { path, kind } of planted) if (kind === "submodule") made.add(path);
      return [...restored, ...planted];
    },
    submodules: () => [...made],
    accept(submodules) {
      for (const path of submodules) made.delete(path);
    },
  };
}

/** The repositories that git enters from this index; undefined if it cannot be parsed. */
function linksIn(index: Buffer): readonly string[] | undefined {
  // The length of its hashes is written nowhere in it.
  const entries = parseGitIndex(index, 20) ?? parseGitIndex(index, 32);
  return entries?.filter(({ isLink }) => isLink).map(({ path }) => path);
}

/** Without a usable HEAD, git takes `.git` for no repository, and a workspace laid out like one for its own. */
async function restoreHeads(heads: ReadonlyMap<string, string>): Promise<PlantedEntry[]> {
  const restored: PlantedEntry[] = [];
  for (const [path, text] of heads) {
    if (!usableHead.test(text) || usableHead.test(await readSmallFile(path))) continue;
    if (!(await statsOf(dirname(path)))?.isDirectory()) continue;
    await writeFile(path, text).catch(() => {});
    restored.push({ path, kind: "head" });
  }
  return restored;
}

const usableHead = /^(?:ref: refs\/[^\0\n]+|[0-9a-f]{40}(?:[0-9a-f]{24})?)\n?$/;

async function identityOf(path: string): Promise<string> {
  const found = await statsOf(path);
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
}

/** Changes with whatever in it can name a program. */
async function stampOf({ path, kind }: FoundPath): Promise<string> {
  if (kind === "link") return readlink(path).catch(() => "");
  if (kind === "file") return stampOfFile(path);
  const parts = basename(path) === ".git" ? settingsOfGit.map((name) => join(path, name)) : [path];
  const stamps = await Promise.all(parts.map((part) => stampOfTree(part, { left: maxEntries })));
  return stamps.join("\n");
}

const settingsOfGit = ["config", "config.worktree", "commondir", "hooks"];

// Enough for anybody's settings.
const maxEntries = 500;

async function stampOfTree(path: string, budget: { left: number }): Promise<string> {
  budget.left -= 1;
  const found = await statsOf(path);
  if (found === undefined || budget.left < 0) return "";
  if (!found.isDirectory()) return stampOfFile(path);
  const names = (await readdir(path).catch(() => [])).sort();
  const inside: string[] = [];
  for (const name of names) inside.push(`${name} ${await stampOfTree(join(path, name), budget)}`);
  return `${found.ino} [${inside.join(", ")}]`;
}

async function stampOfFile(path: string): Promise<string> {
  const found = await statsOf(path);
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}

function statsOf(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch(() => undefined);
}
