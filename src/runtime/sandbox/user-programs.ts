import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { createNameTest } from "../../shared/glob/name-test.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import { programFolders } from "./bubblewrap/system-entries.ts";

/** The paths that the user's own programs (nvm, cargo, pyenv and the like) need to see. */
export interface UserPrograms {
  /** Visible read-only at their usual paths. */
  readonly shown: readonly string[];
  /** Secrets inside those paths, to be hidden. */
  readonly masked: readonly string[];
}

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
  const installations = own.flatMap((folder) => installationOf(folder, home));
  const targets = await Promise.all(
    [...own, ...folders.filter(isLocal)].map((folder) => linkTargets(folder, home)),
  );
  const candidates = [...new Set([...installations, ...targets.flat()])];
  const existing = await Promise.all(candidates.map(bothSpellings));
  const shown = withoutNested(existing.flat()).slice(0, maxShown);
  const isSecret = createNameTest([...sensitiveNames, "credentials", "credentials.*"]);
  const masked = await Promise.all(shown.map((folder) => namesIn(folder, isSecret)));
  return { shown, masked: masked.flat() };
}

// Each one costs a mount for every command.
const maxShown = 32;

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
  "/",
  "/dev",
  "/etc",
  "/home",
  "/media",
  "/mnt",
  "/opt",
  "/proc",
  "/run",
  "/srv",
  "/sys",
  "/tmp",
  "/var",
  "/var/tmp",
]);

/** A program in `x/bin` usually has its libraries in `x`. */
function installationOf(folder: string, home: string): string[] {
  const prefix = dirname(folder);
  if (!["bin", "sbin", "shims", ".bin"].includes(basename(folder)) || isTooBroad(prefix, home))
    return [folder];
  // ~/.local also contains keyrings, histories and our own records.
  if (prefix === join(home, ".local")) return [folder, join(prefix, "lib")];
  // cargo is a link to rustup, which keeps the compilers in a folder of its own.
  if (prefix === join(home, ".cargo")) return [prefix, join(home, ".rustup")];
  return [prefix];
}

/** Many programs in PATH are links to their real installation. */
async function linkTargets(folder: string, home: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).slice(0, maxLinks);
  const targets = await Promise.all(
    links.map((link) => realpath(join(folder, link.name)).catch(() => undefined)),
  );
  return targets
    .filter((target) => target !== undefined)
    .filter((target) => !isSystem(target) && relativeInside(folder, target) === undefined)
    .flatMap((target) =>
      basename(dirname(target)) === "bin" ? installationOf(dirname(target), home) : [target],
    );
}

const maxLinks = 500;

/** The path as written in PATH and its real path; empty if it does not exist. */
async function bothSpellings(path: string): Promise<string[]> {
  try {
    return [...new Set([path, await realpath(path)])].filter((spelling) => !isSystem(spelling));
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

async function namesIn(folder: string, matches: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && matches(entry.name));
  return files.map((entry) => join(folder, entry.name));
}
