import { lstat, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Git } from "../../../machine/git/index.ts";
import { readGitLink } from "../../../shared/git-link.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { idAt } from "./branches.ts";
import { listChanges, listUntracked } from "./list-changes.ts";
import { undefinedIfMissing } from "./registrations.ts";
import type { Worktree } from "./worktree-record.ts";

/** A repository inside a worktree with work that a commit of the worktree cannot contain. */
export interface NestedWork {
  /** Relative to the worktree's folder. */
  readonly path: string;
  readonly kind: "submodule" | "repository";
}

/**
 * Finds nested repositories whose work would be lost with the worktree: submodules whose files or commits differ from
 * the recorded ones, and others with local commits. The files of those others are kept with the worktree's own.
 */
export async function findNestedWork(
  common: Git,
  { folder, base }: Worktree,
  registration: string,
): Promise<NestedWork[]> {
  const isThere = (await lstat(folder).catch(undefinedIfMissing))?.isDirectory() ?? false;
  if (!isThere) return [];
  const scratchFolder = await mkdtemp(join(registration, "toolwright-inner-"));
  try {
    const git = common.at({ gitFolder: registration, cwd: folder, workTree: folder });
    const removed = await Promise.all([realpath(folder), realpath(registration)]);
    const place: Place = { common, git, folder, base, scratchFolder, removed };
    const entries = await listEntries(git);
    const submodules = await findChanged(place, entries);
    const repositories = await findWithCommits(place, entries);
    return [
      ...submodules.map((path) => ({ path, kind: "submodule" as const })),
      ...repositories.map((path) => ({ path, kind: "repository" as const })),
    ];
  } finally {
    await rm(scratchFolder, { recursive: true, force: true });
  }
}

interface Place {
  readonly common: Git;
  /** Uses the index and working tree of the repository under inspection, but none of its settings. */
  readonly git: Git;
  readonly folder: string;
  /** Its commit when the work began. */
  readonly base: string;
  readonly scratchFolder: string;
  /** Canonical paths that are removed with the worktree. */
  readonly removed: readonly string[];
}

interface Entry {
  readonly path: string;
  /** The recorded commit of a submodule. */
  readonly commit?: string;
}

async function listEntries(git: Git): Promise<Entry[]> {
  const lines = (await git.read(["ls-files", "-z", "--stage"])).toString("utf8").split("\0").slice(0, -1);
  return lines.map((line) => {
    const [, mode, id, path = ""] = /^(\d+) ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
    return mode === "160000" && id !== undefined ? { path, commit: id } : { path };
  });
}

async function findChanged(place: Place, entries: readonly Entry[]): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, commit } of entries) {
    if (commit === undefined) continue;
    // A submodule that cannot be inspected is kept.
    if (await isChanged(place, { path, commit }).catch(() => true)) changed.push(path);
  }
  return changed;
}

async function isChanged(place: Place, { path, commit }: Required<Entry>): Promise<boolean> {
  if (!isText(path)) return true;
  const { common, git, base } = place;
  const folder = join(place.folder, path);
  // In a new worktree all submodules are empty.
  const names = await readdir(folder).catch(undefinedIfMissing);
  if (names === undefined || names.length === 0) return false;
  const gitFolder = await findGitFolder(folder);
  if (gitFolder === undefined) return true;
  const own = common.at({ cwd: gitFolder, gitFolder });
  const known = await idAt(git, `${base}:${path}`);
  // A repository recorded without a URL in .gitmodules exists nowhere else.
  if (known === undefined && !(await isDeclared(place, path))) return true;
  if (await hasOwnCommits(own, known)) return true;
  const scratchFolder = await mkdtemp(join(place.scratchFolder, "submodule-"));
  const inside = git.at({
    cwd: folder,
    workTree: folder,
    indexFile: join(scratchFolder, "index"),
    objectFolder: join(gitFolder, "objects"),
  });
  await inside.read(["read-tree", commit]);
  // A new index does not know yet which files are unchanged. The exit code is an error if one is not.
  await inside.run(["update-index", "-q", "--refresh"]);
  const emptyIndex = join(scratchFolder, "none");
  const { gone, present } = await listChanges(inside, { workTree: folder, inner: "taken", emptyIndex });
  if (gone.length + present.length > 0) return true;
  const deeper = { ...place, git: inside, folder, base: commit, scratchFolder };
  return (await findChanged(deeper, await listEntries(inside))).length > 0;
}

/** A name that is not UTF-8 cannot be looked up, so its content is kept. */
function isText(path: string): boolean {
  return !path.includes("\ufffd");
}

async function findGitFolder(folder: string): Promise<string | undefined> {
  const place = (await readGitLink(folder)) ?? join(folder, ".git");
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() ?? false;
  return isFolder ? realpath(place) : undefined;
}

async function isDeclared({ git, folder }: Place, path: string): Promise<boolean> {
  const file = join(folder, ".gitmodules");
  const paths = ["--null", "--get-regexp", "^submodule\\..*\\.path$"];
  const { stdout } = await git.run(["config", "--file", file, ...paths]);
  const lines = stdout.toString("utf8").split("\0");
  return lines.some((line) => line.endsWith(`\n${path}`));
}

/** Whether it has commits that are neither those up to a known one nor from a remote. Runs no program that the repository names. */
async function hasOwnCommits(git: Git, known?: string): Promise<boolean> {
  const own = ["--branches", "--glob=refs/stas[h]", "HEAD"];
  const others = ["--remotes", ...(known === undefined ? [] : [known])];
  const args = ["rev-list", "--max-count=1", "--ignore-missing", ...own, "--not", ...others];
  const { exitCode, stdout } = await git.run(args, { timeoutMs: maxLookMs });
  return exitCode !== 0 || stdout.length > 0;
}

// A file in the repository, such as a pipe, may block git on purpose.
const maxLookMs = 60_000;

async function findWithCommits(place: Place, entries: readonly Entry[]): Promise<string[]> {
  const { common, git, folder, removed } = place;
  const emptyIndex = join(place.scratchFolder, "none");
  const { repositories } = await listUntracked(git, { workTree: folder, inner: "taken", emptyIndex });
  const paths = [...repositories, ...foldersOf(entries)];
  const gitFolders = await Promise.all(paths.map((path) => findGitFolder(join(folder, path))));
  const found: string[] = [];
  for (const [index, path] of paths.entries()) {
    const gitFolder = gitFolders[index];
    if (gitFolder === undefined) continue;
    // A git folder elsewhere, such as that of another worktree, stays.
    if (!removed.some((one) => relativeInside(one, gitFolder) !== undefined)) continue;
    const own = common.at({ cwd: gitFolder, gitFolder });
    if (await hasOwnCommits(own).catch(() => true)) found.push(path);
  }
  return found;
}

/** Git does not list a nested repository in a folder that also has tracked files. */
function foldersOf(entries: readonly Entry[]): Set<string> {
  const folders = new Set<string>();
  for (const { path } of entries) {
    for (let folder = dirname(path); folder !== "." && !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder);
    }
  }
  return folders;
}
