import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { createNameTest } from "../../shared/glob/name-test.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import { programFolders } from "./bubblewrap/system-entries.ts";

/** The folders that the user's own programs (nvm, cargo, pyenv and the like) need to see. */
export interface UserPrograms {
  /** Visible read-only at their usual paths. */
  readonly shown: readonly string[];
  /** Secrets and sockets inside those paths, to be hidden. */
  readonly masked: readonly string[];
}

/**
 * Finds the folders in PATH, and those beside them that their programs load files from. It never takes all the folders
 * beside them: next to `~/x/bin` may be credentials.
 */
export async function findUserPrograms({
  userPath,
  home,
  sensitiveNames,
}: {
  userPath: string;
  home: string;
  sensitiveNames: readonly string[];
}): Promise<UserPrograms> {
  const folders = pathFolders(userPath);
  const own = folders.filter((folder) => !isSystem(folder) && !isTooBroad(folder, home));
  const targets = await Promise.all(
    [...own, ...folders.filter(isLocal)].map((folder) => linkTargets(folder, home)),
  );
  const real = await Promise.all(own.map((folder) => realpath(folder).catch(() => folder)));
  const needed = [...own, ...real.filter((folder) => !isTooBroad(folder, home))].map((folder) =>
    neededBy(folder, home),
  );
  const existing = await Promise.all([...needed, ...targets].flat().map(bothSpellings));
  const shown = withoutNested(existing.flat()).slice(0, maxShown);
  const isSecret = createNameTest([...sensitiveNames, "credentials", "credentials.*"]);
  const masked = await Promise.all(shown.map((folder) => hiddenIn(folder, isSecret)));
  return { shown, masked: masked.flat() };
}

// Each one costs a mount for every command that may write.
const maxShown = 64;

function pathFolders(userPath: string): string[] {
  const folders = userPath.split(":").filter(isAbsolute).map(withoutSlash);
  return [...new Set(folders)];
}

function withoutSlash(path: string): string {
  return normalize(path).replace(/(?<=.)\/$/, "");
}

function isSystem(path: string): boolean {
  return programFolders.some((folder) => relativeInside(folder, path) !== undefined);
}

function isLocal(folder: string): boolean {
  return relativeInside("/usr/local", folder) !== undefined;
}

/**
 * Whether showing the folder would reveal far more than programs: the home folder, a folder above it, or a shared one.
 */
function isTooBroad(folder: string, home: string): boolean {
  return common.has(folder) || relativeInside(folder, home) !== undefined;
}

const common = new Set([
  ...["/", "/dev", "/etc", "/home", "/media", "/mnt", "/opt", "/proc", "/run", "/srv", "/sys", "/tmp"],
  ...["/var", "/var/tmp"],
]);

/** A path to show if it exists; one beside the programs only if it does not lead away from there. */
interface NeededPath {
  readonly path: string;
  readonly within?: string;
}

/** A folder of programs, and the names beside it that hold what such programs load. */
function neededBy(folder: string, home: string): NeededPath[] {
  const prefix = dirname(folder);
  if (!["bin", "sbin", "shims", ".bin"].includes(basename(folder)) || isTooBroad(prefix, home))
    return [{ path: folder }];
  const beside = (names: readonly string[]) =>
    names.map((name) => ({ path: join(prefix, name), within: prefix }));
  // ~/.local/share also contains keyrings, histories and our own records.
  if (prefix === join(home, ".local")) return [{ path: folder }, ...beside(["lib"])];
  // cargo is a link to rustup, which keeps the compilers in its own folder.
  if (prefix === join(home, ".cargo"))
    return [{ path: folder }, ...beside(["registry", "git"]), { path: join(home, ".rustup") }];
  return [{ path: folder }, ...beside(companions)];
}

/** What installations keep beside `bin`: libraries, the interpreters of a version manager, and a JDK's own settings. */
const companions = [
  ...["bin", "sbin", "lib", "lib32", "lib64", "libexec", "share", "include"],
  ...["pyvenv.cfg", "versions", "toolchains", "tools", "plugins", "Cellar", "opt"],
  ...["jmods", "conf/security", "release"],
];

/** Many programs in PATH are links to their real installation. */
async function linkTargets(folder: string, home: string): Promise<NeededPath[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).slice(0, maxLinks);
  const targets = await Promise.all(
    links.map((link) => realpath(join(folder, link.name)).catch(() => undefined)),
  );
  return targets
    .filter((target) => target !== undefined)
    .filter((target) => !isSystem(target) && relativeInside(folder, target) === undefined)
    .flatMap((target) =>
      basename(dirname(target)) === "bin" ? neededBy(dirname(target), home) : [{ path: target }],
    );
}

const maxLinks = 500;

/** The path as it is written and its real path; empty if it does not exist. */
async function bothSpellings({ path, within }: NeededPath): Promise<string[]> {
  try {
    const real = await realpath(path);
    if (within !== undefined && relativeInside(await realpath(within), real) === undefined) return [];
    return [...new Set([path, real])].filter((spelling) => !isSystem(spelling));
  } catch {
    return [];
  }
}

function withoutNested(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter(
    (path) => !unique.some((other) => other !== path && relativeInside(other, path) !== undefined),
  );
}

async function hiddenIn(folder: string, isSecret: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const hidden = entries.filter((entry) => entry.isSocket() || (entry.isFile() && isSecret(entry.name)));
  return hidden.map((entry) => join(folder, entry.name));
}
