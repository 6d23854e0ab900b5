import type { BigIntStats } from "node:fs";
import { constants, type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { errorCodeOf } from "../../shared/files/error-code.ts";
import { kindOf } from "../../shared/files/kind-of.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { fileError } from "./file-error.ts";

export interface Opened {
  readonly handle: FileHandle;
  readonly stats: BigIntStats;
  /** Its canonical path when it was opened. */
  readonly canonical: string;
  /** A path to the opened file that works even after it was moved; on systems without /proc, its canonical path. */
  readonly location: string;
}

export interface OpenOptions {
  readonly kind: "file" | "directory";
  /** The path as the caller wrote it. */
  readonly shownPath: string;
  mayOpen(canonical: string): boolean;
}

/**
 * Opens first, then checks the opened file: a link could be put in place between checking a path and opening it. The
 * caller closes the handle.
 */
export async function openContained(canonical: string, options: OpenOptions): Promise<Opened> {
  const handle = await openUnfollowed(canonical, options);
  try {
    const stats = await handle.stat({ bigint: true });
    if (kindOf(stats) !== options.kind) throw wrongKind(stats, options.shownPath);
    const location = await locate(handle, { canonical, stats });
    if (location === undefined || !options.mayOpen(location.canonical)) throw outside(options.shownPath);
    // Being inside is not enough: if a folder was swapped for a link, this is not the file the verdict was about.
    if (!isAt(location.canonical, canonical)) throw moved(options.shownPath);
    return { handle, stats, canonical: location.canonical, location: location.path };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openUnfollowed(canonical: string, { kind, shownPath }: OpenOptions): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return await open(canonical, kind === "directory" ? flags | constants.O_DIRECTORY : flags);
  } catch (error) {
    throw fileError(error, shownPath);
  }
}

/** A file that was replaced after it was opened is still the right one. */
function isAt(opened: string, canonical: string): boolean {
  return opened === canonical || opened === `${canonical} (deleted)`;
}

type Location = { readonly canonical: string; readonly path: string };

async function locate(
  handle: FileHandle,
  expected: { canonical: string; stats: BigIntStats },
): Promise<Location | undefined> {
  if (process.platform === "linux") {
    const path = `/proc/self/fd/${handle.fd}`;
    const canonical = await readlink(path).catch(nothingThere);
    if (canonical !== undefined) return { canonical, path };
  }
  return locateByIdentity(expected);
}

/** Locates an open file without /proc: its path must still contain no links and still name the open file. */
export async function locateByIdentity({
  canonical,
  stats,
}: {
  canonical: string;
  stats: BigIntStats;
}): Promise<Location | undefined> {
  const [resolved, there] = await Promise.all([
    realpath(canonical).catch(nothingThere),
    lstat(canonical, { bigint: true }).catch(nothingThere),
  ]);
  const isSame = resolved === canonical && there?.dev === stats.dev && there.ino === stats.ino;
  return isSame ? { canonical, path: canonical } : undefined;
}

function nothingThere(error: unknown): undefined {
  if (errorCodeOf(error) === "ENOENT") return undefined;
  throw error;
}

function wrongKind(stats: BigIntStats, shownPath: string): ToolError {
  if (stats.isDirectory()) return new ToolError("is-directory", `${shownPath} is a directory`);
  return new ToolError("not-a-file", `${shownPath} is a device, pipe or socket, not a regular file`);
}

function moved(shownPath: string): ToolError {
  const message = `${shownPath}, or a folder above it, was moved or replaced in the meantime`;
  return new ToolError("conflict", message, { hint: "Try again.", retryable: true });
}

/**
 * The error for a path outside. It has no root if the caller knows that already, or if another process moved the path
 * meanwhile.
 */
export function outside(shownPath: string, root?: string): ToolError {
  return new ToolError("outside-workspace", `${shownPath} leads outside the workspace`, {
    hint: `Use a path inside the workspace${root === undefined ? "" : `, ${root}`}.`,
  });
}
