import { basename, dirname, join } from "node:path";
import type { FoundPath } from "../protected/scan-names.ts";
import { findGitFolder, type GitSight, lookAtGitFolder } from "./git-folders.ts";
import type { PlantedEntry } from "./planted-entry.ts";
import { stampOfEntry, stampOfTree } from "./stamps.ts";

/** Something that other programs run or obey, as it was at one moment. */
export interface SeenEntry {
  readonly kind: PlantedEntry["kind"];
  /** Changes with the entry. */
  readonly stamp: string;
  /** The git folder that it stands for, if there is one. */
  readonly gitFolder?: string | undefined;
  /** The entry whose git folder it is in. */
  readonly within?: string | undefined;
}

/** The places to look at; all paths are absolute. */
export interface Sought {
  /** The folder in which they are, whose own git folder the sandbox keeps as it is. */
  readonly root: string;
  readonly names: readonly FoundPath[];
  readonly bareRepositories: readonly string[];
  readonly submodules: readonly string[];
  /** Git folders that may be anywhere. */
  readonly gitFolders: readonly string[];
}

/** @param isConfined a sandbox keeps commands from changing protected entries, so that only new ones need be told */
export async function lookAtEntries(
  { root, names, bareRepositories, submodules, gitFolders }: Sought,
  { isConfined }: { readonly isConfined: boolean },
): Promise<Map<string, SeenEntry>> {
  const sights = new Map<string, Promise<GitSight>>();
  /** Once, however many entries stand for it. */
  const lookAt = (gitFolder: string) => {
    const sight = sights.get(gitFolder) ?? lookAtGitFolder(gitFolder);
    sights.set(gitFolder, sight);
    return sight;
  };
  const stampOf = async (path: string, gitFolder: string) => {
    const own = gitFolder === path ? stampOfEntry(path) : stampOfTree(path);
    return `${await own}\n${(await lookAt(gitFolder)).settings}`;
  };
  const lookAtName = async ({ path, kind }: FoundPath): Promise<SeenEntry> => {
    if (basename(path) !== ".git")
      return { kind: "settings", stamp: await (isConfined ? stampOfEntry(path) : stampOfTree(path)) };
    const gitFolder = (await findGitFolder(dirname(path))) ?? path;
    const isHeld = isConfined && kind === "directory" && dirname(path) === root;
    return {
      kind: "repository",
      stamp: await (isHeld ? stampOfEntry(path) : stampOf(path, gitFolder)),
      gitFolder,
    };
  };
  const lookAtBare = async (gitFolder: string): Promise<SeenEntry> => {
    return { kind: "bare-repository", stamp: await stampOf(gitFolder, gitFolder), gitFolder };
  };
  const lookAtSubmodule = async (place: string): Promise<SeenEntry> => {
    const gitFolder = await findGitFolder(place);
    if (gitFolder === undefined) return { kind: "submodule", stamp: "" };
    return { kind: "submodule", stamp: await stampOf(join(place, ".git"), gitFolder), gitFolder };
  };

  // A submodule stands for its `.git`.
  const replaced = new Set(submodules.map((place) => join(place, ".git")));
  const others = names.filter(({ path }) => !replaced.has(path));
  const seen = await Promise.all([
    ...others.map(async (found) => [found.path, await lookAtName(found)] as const),
    ...bareRepositories.map(async (path) => [path, await lookAtBare(path)] as const),
    ...submodules.map(async (place) => [place, await lookAtSubmodule(place)] as const),
  ]);
  const entries = new Map<string, SeenEntry>(seen);
  await addGitParts(entries, gitFolders, lookAt);
  return entries;
}

/** Adds the parts of the git folders of these entries, of others, and in those of the submodules that they keep. */
async function addGitParts(
  entries: Map<string, SeenEntry>,
  others: readonly string[],
  lookAt: (gitFolder: string) => Promise<GitSight>,
): Promise<void> {
  const holders = new Map<string, string | undefined>();
  const held = [...entries].flatMap(([path, { gitFolder }]) =>
    gitFolder ? [[gitFolder, path] as const] : [],
  );
  /** Holds the git folders that are not held yet; of several entries that stand for one folder, the first counts. */
  const take = (found: readonly (readonly [gitFolder: string, holder: string | undefined])[]) => {
    const fresh: string[] = [];
    for (const [gitFolder, holder] of found) {
      if (holders.has(gitFolder) || holders.size === maxGitFolders) continue;
      holders.set(gitFolder, holder);
      fresh.push(gitFolder);
    }
    return fresh;
  };
  let wave = take([...held, ...others.map((gitFolder) => [gitFolder, undefined] as const)]);
  while (wave.length > 0) {
    const sights = await Promise.all(wave.map(lookAt));
    const kept: (readonly [string, string])[] = [];
    for (const [index, { parts, modules }] of sights.entries()) {
      const within = holders.get(wave[index]!);
      for (const { path, ...part } of parts) entries.set(path, { ...part, within });
      for (const module of modules) {
        const { settings: stamp } = await lookAt(module);
        const holder = holders.get(module) ?? within;
        entries.set(module, { kind: "settings", stamp, gitFolder: module, within: holder });
        kept.push([module, module]);
      }
    }
    wave = take(kept);
  }
}

// Each costs a few calls to the system, before and after a command.
const maxGitFolders = 200;
