import { readFile, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readSmallFile } from "../../../shared/files/read-small-file.ts";
import { writeAside } from "../../../shared/files/write-aside.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { findRepositoryAround } from "../protected/git-index.ts";
import { isPlaceholder } from "../protected/placeholders.ts";
import type { FoundNames } from "../protected/scan-names.ts";
import { parseGitIndex } from "./parse-git-index.ts";
import type { PlantedEntry } from "./planted-entry.ts";
import { lookAtEntries, type SeenEntry } from "./sight.ts";
import { stampOfFile, statsOf } from "./stamps.ts";

/** The entries that existed at one moment. */
interface Sight {
  /** The entries by their paths. */
  readonly entries: ReadonlyMap<string, SeenEntry>;
  readonly heads: ReadonlyMap<string, string>;
}

export interface PlantWatchOptions {
  readonly roots: readonly string[];
  /** The sandbox keeps commands from changing protected entries, so that only new ones need be looked for. */
  readonly isConfined: boolean;
  findNames(root: string): Promise<FoundNames>;
}

/** Compares the roots before and after a command that may write, and finds the entries it has left to be run later. */
export function createPlantWatch({ roots, isConfined, findNames }: PlantWatchOptions) {
  const made = new Set<string>();
  const indexes = new Map<string, { stamp: string; links: readonly string[] | undefined }>();

  const look = async (): Promise<Sight> => {
    const entries = new Map<string, SeenEntry>();
    const heads = new Map<string, string>();
    for (const root of roots) {
      const { protectedPaths, bareRepositories } = await findNames(root);
      const { repository, gitFolder } = await findRepositoryAround(root);
      const links = await findGitlinks(join(gitFolder, "index"));
      const sought = {
        root,
        names: protectedPaths.filter(({ path }) => !isPlaceholder(path)),
        bareRepositories,
        submodules: (links ?? []).map((link) => join(repository, link)),
        gitFolders: [gitFolder],
      };
      for (const [path, entry] of await lookAtEntries(sought, { isConfined })) entries.set(path, entry);
      if (links === undefined) entries.set(join(gitFolder, "index"), { kind: "unreadable", stamp: "" });
      if (repository === root) {
        const head = join(await realpath(gitFolder).catch(() => gitFolder), "HEAD");
        heads.set(head, await readSmallFile(head));
      }
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
    /** Finds the entries that have appeared or changed since. A `.git/HEAD` that has become unusable is put back. */
    async compare(
      before: Sight,
      { writable }: { readonly writable: readonly string[] },
    ): Promise<readonly PlantedEntry[]> {
      const restored = await restoreHeads(before.heads);
      const after = await look();
      const isAllowed = (path: string) =>
        writable.some(
          (one) => relativeInside(one, path) !== undefined || relativeInside(path, one) !== undefined,
        );
      const isChanged = ([path, { kind, stamp, gitFolder = path }]: readonly [string, SeenEntry]) => {
        const old = before.entries.get(path);
        if (old?.kind === kind && old.stamp === stamp) return false;
        if (kind === "settings" || kind === "repository" || kind === "steps") return !isAllowed(path);
        // A person cannot have seen from a path that git would enter it, unless git did so before.
        return !(kind === "submodule" && old !== undefined && isAllowed(gitFolder));
      };
      const changed = new Map([...after.entries].filter(isChanged));
      const isNew = (path: string) => changed.has(path) && before.entries.get(path)?.gitFolder === undefined;
      // A git folder that is new, and settings that have changed, are told once.
      const isToldWith = (path: string, { kind, gitFolder = path, within }: SeenEntry) => {
        if (within !== undefined && (isNew(within) || (kind === "settings" && changed.has(within))))
          return true;
        return kind === "repository" && gitFolder !== path && changed.has(gitFolder);
      };
      const planted = [...changed].flatMap(([path, entry]): PlantedEntry[] =>
        isToldWith(path, entry) ? [] : [{ path, kind: entry.kind }],
      );
      for (const { path, kind } of planted) if (kind === "submodule") made.add(path);
      return [...restored, ...planted];
    },
    /** The submodules that commands have made so far, without those accepted. */
    submodules: (): readonly string[] => [...made],
    accept(submodules: readonly string[]): void {
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

/**
 * Without a usable HEAD, git takes `.git` for no repository, and a workspace laid out like one for its own. A link in its
 * place is replaced: this process may write where it leads, and the command that made it may not.
 */
async function restoreHeads(heads: ReadonlyMap<string, string>): Promise<PlantedEntry[]> {
  const restored: PlantedEntry[] = [];
  for (const [path, text] of heads) {
    if (!usableHead.test(text) || usableHead.test(await readSmallFile(path))) continue;
    const isSameFolder = (await realpath(dirname(path)).catch(() => undefined)) === dirname(path);
    if (!isSameFolder || !(await statsOf(dirname(path)))?.isDirectory()) continue;
    if ((await statsOf(path))?.isDirectory()) await rm(path, { recursive: true }).catch(() => {});
    await writeAside(path, text, { mode: 0o644 }).catch(() => {});
    restored.push({ path, kind: "head" });
  }
  return restored;
}

const usableHead = /^(?:ref: refs\/[^\0\n]+|[0-9a-f]{40}(?:[0-9a-f]{24})?)\n?$/;
