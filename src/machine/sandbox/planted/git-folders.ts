import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readGitLink } from "../../../shared/git-link.ts";
import { isPlaceholder } from "../protected/placeholders.ts";
import type { PlantedEntry } from "./planted-entry.ts";
import { stampOfTree, statsOf } from "./stamps.ts";

interface GitPart extends PlantedEntry {
  readonly stamp: string;
}

export type GitSight = Awaited<ReturnType<typeof lookAtGitFolder>>;

/** Looks at the entries of a git folder that make git run programs. Each stamp changes with its entry. */
export async function lookAtGitFolder(gitFolder: string) {
  const entries = await readdir(gitFolder, { withFileTypes: true }).catch((): Dirent[] => []);
  const isOurs = (name: string) => isSetting(name) && isPlaceholder(join(gitFolder, name));
  const names = entries
    .map(({ name }) => name)
    .filter((name) => !isOurs(name))
    .sort();
  const [stamps, parts, modules] = await Promise.all([
    Promise.all(names.filter(isSetting).map((name) => stampOf(gitFolder, name))),
    Promise.all(names.map((name) => lookAtPart(gitFolder, name))),
    names.includes("modules") ? findModules(join(gitFolder, "modules")) : { found: [], isComplete: true },
  ]);
  const path = join(gitFolder, "modules");
  const unseen: GitPart[] = modules.isComplete ? [] : [{ path, kind: "unreadable", stamp: "" }];
  return {
    /** The stamp of the settings that name programs, which git obeys at once. */
    settings: stamps.join("\n"),
    /** Files that git obeys when the user continues an operation, or beside the settings. */
    parts: [...parts.filter((part) => part !== undefined), ...unseen],
    /** The git folders of submodules that it keeps. */
    modules: modules.found,
  };
}

function isSetting(name: string): boolean {
  return settingNames.has(name);
}

const settingNames: ReadonlySet<string> = new Set(["config", "config.worktree", "commondir", "hooks"]);

async function lookAtPart(gitFolder: string, name: string): Promise<GitPart | undefined> {
  const kind = partKinds.get(name);
  return kind && { path: join(gitFolder, name), kind, stamp: await stampOf(gitFolder, name) };
}

const partKinds: ReadonlyMap<string, PlantedEntry["kind"]> = new Map([
  // Lines of `exec` in a list of commits run at `git rebase --continue`.
  ["rebase-merge", "steps"],
  ["rebase-apply", "steps"],
  ["sequencer", "steps"],
  // Attributes there choose which of the configured filters run.
  ["info", "settings"],
]);

async function stampOf(gitFolder: string, name: string): Promise<string> {
  return `${name} ${await stampOfTree(join(gitFolder, name), isCounted.get(name))}`;
}

const isCounted: ReadonlyMap<string, (name: string) => boolean> = new Map([
  // Git runs no hook of such a name, and every new repository has a dozen of them.
  ["hooks", (name) => !name.endsWith(".sample")],
  // Git lists its own branches there when it tidies up.
  ["info", (name) => name !== "refs"],
]);

/** Finds git folders of submodules at any depth, because names of submodules may contain slashes. */
async function findModules(modules: string) {
  const found: string[] = [];
  const waiting = [modules];
  for (let read = 0; read < maxFolders && waiting.length > 0; read += 1) {
    const folder = waiting.shift()!;
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    if (entries.some(({ name }) => name === "HEAD")) {
      found.push(folder);
      continue;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      // Links could go on for ever; git follows one to a git folder.
      else if (entry.isSymbolicLink() && (await statsOf(join(path, "HEAD"))) !== undefined) found.push(path);
    }
  }
  return { found, isComplete: waiting.length === 0 };
}

// More than anybody has submodules.
const maxFolders = 200;

/** The git folder of a working tree, wherever it is; undefined if it has none. */
export async function findGitFolder(tree: string): Promise<string | undefined> {
  const linked = await readGitLink(tree);
  if (linked !== undefined) return linked;
  const path = join(tree, ".git");
  return (await statsOf(path)) === undefined ? undefined : path;
}
