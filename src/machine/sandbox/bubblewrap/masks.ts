import { lstat, readdir, readFile, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { findCodePlaces } from "../protected/code-places.ts";
import { readGitIndex } from "../protected/git-index.ts";
import type { Placeholders } from "../protected/placeholders.ts";
import { joinPlaces } from "../protected/places.ts";
import { findNestedPlaces, findProtectedPlaces, type GuardedNames } from "../protected/protected-places.ts";
import type { FoundNames } from "../protected/scan-names.ts";
import type { SandboxBounds } from "../sandbox.ts";
import { type Cover, hideAll } from "./covers.ts";
import { findGitPlaces } from "./git-places.ts";
import type { Mount } from "./mounts.ts";

/** Paths inside the roots that commands may not write or see. */
export interface MaskedPaths extends GuardedNames {
  readonly roots: readonly string[];
  readonly home: string;
  /** Absolute; loaded as code by this process. */
  readonly codePaths: readonly string[];
  /** Invisible to every command. */
  readonly hidden: readonly string[];
  readonly placeholders: Placeholders;
  findNames(root: string): Promise<FoundNames>;
  /** Absolute paths of files with sensitive names that are not secrets. */
  findPublic(): Promise<ReadonlySet<string>>;
}

/** Makes protected paths read-only for a command that may write. Returns the placeholders it holds, to be released. */
export async function protectRoots(
  guards: MaskedPaths,
  looked: readonly FoundNames[],
  { writable = [], absent: forbidden = [], repository, writesRepository }: SandboxBounds,
): Promise<{ covers: readonly Cover[]; held: readonly string[] }> {
  const { roots, home, codePaths } = guards;
  const isLifted = (path: string) => writable.some((one) => lifts(one, path, roots));
  const named = roots.map((root) => findProtectedPlaces(root, guards, { isHome: root === home }));
  const nested = roots.map((root, index) => findNestedPlaces(root, looked[index]?.protectedPaths ?? []));
  // A repository around the workspace is protected as one in it is.
  const around = writesRepository && repository !== undefined ? [join(repository, ".git")] : [];
  const found = [...named, ...nested, findCodePlaces(codePaths, roots), ...around.map(findGitPlaces)];
  const places = joinPlaces((await Promise.all(found)).flat());
  const link = places.links.find((path) => !isLifted(path));
  if (link !== undefined) throw cannotProtect(link);
  const held = await guards.placeholders.hold([
    ...places.absent.filter(({ path }) => !isLifted(path)),
    ...(await Promise.all(forbidden.map((path) => placeIn(roots, path)))).flat(),
  ]);
  const readOnly = unique(places.readOnly).filter((path) => !isLifted(path));
  return {
    covers: [...coverAll(unique(places.pinned), "pinned"), ...coverAll([...readOnly, ...held], "read-only")],
    held,
  };
}

/** A rule may name a missing path by a link to its folder. */
async function placeIn(roots: readonly string[], path: string): Promise<{ path: string }[]> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  if (folder === undefined || !roots.some((root) => relativeInside(root, folder) !== undefined)) return [];
  return [{ path: join(folder, basename(path)) }];
}

function coverAll(paths: readonly string[], kind: Cover["kind"]): Cover[] {
  return paths.map((path) => ({ path, kind }));
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

/**
 * Whether permission to write one path covers a protected path: the same path, one inside it, or a folder above it that
 * is not a root.
 */
function lifts(writable: string, path: string, roots: readonly string[]): boolean {
  if (relativeInside(path, writable) !== undefined) return true;
  const isWholeRoot = roots.some((root) => relativeInside(writable, root) !== undefined);
  return !isWholeRoot && relativeInside(writable, path) !== undefined;
}

function cannotProtect(link: string): ToolError {
  return new ToolError(
    "unavailable",
    `the sandbox cannot protect ${quoteControls(link)}: it is a link, which a command could replace`,
    { hint: "Put the target itself in the place of the link, or use a workspace without it." },
  );
}

/**
 * Hides sensitive files from a command that only reads, and those of a repository around the workspace from every
 * command. Throws rather than leaving some of them in sight.
 */
export async function maskSensitive(
  guards: MaskedPaths,
  found: readonly FoundNames[],
  { profile, readable = [], repository, isApproved }: SandboxBounds,
): Promise<Cover[]> {
  const folders = repository === undefined ? guards.roots : [...guards.roots, repository];
  const around = repository === undefined ? [] : [await guards.findNames(repository)];
  const onlyAround = profile !== "read-only";
  const all = onlyAround ? around : [...found, ...around];
  if (all.length === 0) return [];
  const publicFiles = await guards.findPublic();
  const isOwn = (path: string) => guards.roots.some((root) => relativeInside(root, path) !== undefined);
  const isNamed = (path: string) =>
    (onlyAround && isOwn(path)) ||
    readable.some(
      (one) => relativeInside(one, path) !== undefined || relativeInside(path, one) !== undefined,
    );
  const secret = all.flatMap(({ sensitivePaths }) => sensitivePaths);
  const masked = unique(secret).filter((path) => !publicFiles.has(path) && !isNamed(path));
  const isTooMuch = masked.length > maxMasked || all.some(({ isComplete }) => !isComplete);
  if (isTooMuch && !isApproved) throw cannotHide(masked.length);
  return maskFiles(masked.slice(0, maxMasked), folders);
}

/** Git fails if it may not read one of its files, so such a file is shown empty. */
async function maskFiles(paths: readonly string[], folders: readonly string[]): Promise<Cover[]> {
  if (paths.length === 0) return [];
  const indexes = await Promise.all(folders.map(readGitIndex));
  const tracked = paths.filter((path) => indexes.some((index) => index.tracks(path)));
  const empty = await Promise.all(
    tracked.map(async (path) => ((await lstat(path).catch(() => undefined))?.isFile() ? [path] : [])),
  );
  const shownEmpty = new Set(empty.flat());
  return [
    ...(await hideAll(
      paths.filter((path) => !shownEmpty.has(path)),
      folders,
    )),
    ...coverAll([...shownEmpty], "empty-file"),
  ];
}

// Each costs a mount.
const maxMasked = 1000;

function cannotHide(count: number): ToolError {
  const what =
    count > maxMasked ? `${count} files that may hold secrets` : "more folders than can be searched";
  return new ToolError("unavailable", `the workspace holds ${what}, so the sandbox cannot hide all secrets`, {
    hint: "Ask for approval with the argument rights, or work in a smaller folder.",
  });
}

/**
 * Hides unix sockets from every command: a server that listens there runs outside the sandbox. A socket without a
 * listener stays, because programs remove those when they start.
 */
export async function maskSockets(
  found: readonly FoundNames[],
  { readable = [], writable = [] }: SandboxBounds,
): Promise<Cover[]> {
  const isNamed = (path: string) => [...readable, ...writable].includes(path);
  const sockets = unique(found.flatMap((each) => each.sockets)).filter((path) => !isNamed(path));
  return coverAll(await findLiveSockets(sockets), "hidden-file");
}

/** Write-protects and hides what rules keep from commands. */
export async function obeyRules(
  { hidden = [], readOnly = [] }: SandboxBounds,
  mounts: readonly Mount[],
): Promise<Cover[]> {
  const found = await Promise.all(readOnly.map((path) => lstat(path).catch(() => undefined)));
  const there = readOnly.filter((_, index) => found[index] !== undefined);
  return [...coverAll(there, "read-only"), ...(await hideAll(hidden, shownBy(mounts)))];
}

function shownBy(mounts: readonly Mount[]): readonly string[] {
  return mounts.filter(({ option }) => option.includes("bind")).map(({ path }) => path);
}

/** Hides our own records from every command, wherever they would be visible. */
export function hideRecords({ hidden, roots }: MaskedPaths, mounts: readonly Mount[]): Promise<Cover[]> {
  const holdsRoot = (path: string) => roots.some((root) => relativeInside(path, root) !== undefined);
  return hideAll(
    hidden.filter((path) => !holdsRoot(path)),
    shownBy(mounts),
  );
}

/**
 * Finds the sockets that a process may be listening on. The kernel lists them by the path that they were given,
 * which may have been relative, so they are compared by their last name only. They are not tried out: a server may not
 * expect a client that says nothing.
 */
async function findLiveSockets(sockets: readonly string[]): Promise<readonly string[]> {
  if (sockets.length === 0) return [];
  const names = new Set<string>();
  const seen = new Set<string>();
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    processes.map(async (id) => {
      // A process in another network namespace can still listen in a folder that both can see.
      const namespace = await readlink(`/proc/${id}/ns/net`).catch(() => undefined);
      if (namespace === undefined || seen.has(namespace)) return;
      const table = await readFile(`/proc/${id}/net/unix`, "utf8").catch(() => undefined);
      if (table === undefined) return;
      seen.add(namespace);
      for (const [, path = ""] of table.matchAll(/^\S+: (?:\S+ +){6}(.+)$/gm)) names.add(basename(path));
    }),
  );
  return sockets.filter((path) => names.has(basename(path)));
}
