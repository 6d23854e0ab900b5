import type { BigIntStats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { missing, type Owner, type PathState } from "../../../kernel/events/index.ts";
import type { BlobStore, KeptBlob } from "../../../kernel/store/index.ts";
import {
  disk,
  fileError,
  type Opened,
  type OpenOptions,
  openContained,
} from "../../../machine/paths/index.ts";
import { errorCodeOf } from "../../../shared/files/error-code.ts";
import { fileStamp } from "../../../shared/files/file-stamp.ts";
import { kindOf } from "../../../shared/files/kind-of.ts";
import { hashSource } from "../../../shared/files/read-chunks.ts";
import type { Roots } from "../../../shared/files/workspace-roots.ts";
import { defined } from "../../../shared/options/defined.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type OpenFolder, openFolder } from "./open-folder.ts";
import type { OpenFile, PathLook, ReadableTree, TreeEntry } from "./tree.ts";

export interface DiskOptions {
  readonly roots: Roots;
  readonly blobs: BlobStore;
  readonly signal: AbortSignal;
  nameOf(canonical: string): string;
}

/** The disk to read, and what changes of it need: every file and folder is opened and then verified. */
export interface DiskView extends ReadableTree {
  openRegular(path: string, shownPath?: string): Promise<Opened>;
  /** Runs `work` in the path's opened folder; errors name the path. */
  inFolderOf<Result>(
    path: string,
    work: (folder: OpenFolder, name: string) => Promise<Result>,
  ): Promise<Result>;
}

export function createDiskView({ roots, blobs, signal, nameOf }: DiskOptions): DiskView {
  const inFolderOf: DiskView["inFolderOf"] = async (path, work) => {
    const shownPath = nameOf(path);
    try {
      const folder = await openFolder(dirname(path), { shownPath, contains: roots.contains });
      return await work(folder, basename(path)).finally(folder.close);
    } catch (error) {
      throw fileError(error, shownPath);
    }
  };
  const openRegular = (path: string, shownPath = nameOf(path)) =>
    openContained(path, { kind: "file", shownPath, mayOpen: roots.mayRead });
  const look = async (path: string): Promise<PathLook> => {
    try {
      if (!roots.contains(dirname(path))) return await lookAtRoot(path);
      return await inFolderOf(path, async (folder, name) =>
        toLook(await lstat(folder.at(name), { bigint: true })),
      );
    } catch (error) {
      if (error instanceof ToolError && error.code === "not-found") return nothing;
      throw error;
    }
  };
  /** Opens the root itself, because the folder above it is outside the workspace. */
  const lookAtRoot = async (root: string): Promise<PathLook> => {
    const options = { kind: "directory", shownPath: nameOf(root), mayOpen: roots.contains } as const;
    const { handle, stats } = await openContained(root, options);
    await handle.close();
    return toLook(stats);
  };
  /** The state of a path; `hashOf` computes a file's hash. */
  const stateBy = async (path: string, hashOf: (opened: Opened) => Promise<string>): Promise<PathState> => {
    const { kind, mode, owner } = await look(path);
    const owned = defined({ owner });
    if (kind === "missing") return missing;
    if (kind === "directory") return { kind, mode, ...owned };
    if (kind === "link")
      return { kind, target: await inFolderOf(path, (folder, name) => readlink(folder.at(name))), ...owned };
    const opened = await openRegular(path);
    const { stats, handle } = opened;
    const hash = await hashOf(opened).finally(() => handle.close());
    return { kind: "file", hash, mode: modeOf(stats), sizeBytes: Number(stats.size), ...ownerOf(stats) };
  };

  return {
    ...disk,
    openRegular,
    inFolderOf,
    look,
    async openFile(path, shownPath): Promise<OpenFile> {
      const { handle, stats } = await openRegular(path, shownPath);
      const about = { sizeBytes: Number(stats.size), mode: modeOf(stats), stamp: fileStamp(stats) };
      return { ...about, source: handle, close: () => handle.close() };
    },
    entries: (folder, maxEntries) =>
      readEntries(folder, { maxEntries, shownPath: nameOf(folder), mayOpen: roots.mayRead }),
    state: (path) =>
      stateBy(path, ({ handle, stats }) => hashSource(handle, { sizeBytes: Number(stats.size), signal })),
    preserve: (path) => stateBy(path, async ({ location }) => (await kept(blobs.keepFile(location))).hash),
    async keep({ bytes, hash }) {
      await kept(blobs.keepBytes(bytes, hash));
    },
  };
}

const nothing: PathLook = { kind: "missing", mode: 0, sizeBytes: 0, stamp: "" };

function toLook(stats: BigIntStats): PathLook {
  return {
    kind: kindOf(stats),
    mode: modeOf(stats),
    sizeBytes: Number(stats.size),
    stamp: fileStamp(stats),
    ...ownerOf(stats),
  };
}

function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & 0o7777;
}

/** The owner, if it differs from the one a new file would get. */
function ownerOf({ uid, gid }: BigIntStats): { readonly owner?: Owner } {
  const isOwn = Number(uid) === process.geteuid?.() && Number(gid) === process.getegid?.();
  return isOwn || process.geteuid === undefined ? {} : { owner: { uid: Number(uid), gid: Number(gid) } };
}

/** Refuses the change if the old content cannot be saved for undo. */
function kept(keeping: Promise<KeptBlob>): Promise<KeptBlob> {
  return keeping.catch((cause: unknown) => {
    const message = "the current content could not be saved for undo, so nothing was changed";
    const hint = "Check whether the disk that holds earlier versions is full.";
    throw new ToolError("unavailable", message, { hint, cause });
  });
}

/** Entries of a folder on disk, by name. Links are shown but never followed. */
async function readEntries(
  canonical: string,
  { maxEntries, ...options }: Omit<OpenOptions, "kind"> & { maxEntries: number },
): Promise<TreeEntry[]> {
  const { handle, location } = await openContained(canonical, { ...options, kind: "directory" });
  try {
    const names = (await readdir(location)).sort();
    const entries: TreeEntry[] = [];
    for (let start = 0; start < names.length && entries.length < maxEntries; start += batchSize) {
      const batch = names.slice(start, start + batchSize);
      const found = await Promise.all(batch.map((name) => readEntry(name, join(location, name))));
      entries.push(...found.filter((entry) => entry !== undefined));
    }
    return entries;
  } finally {
    await handle.close();
  }
}

// Enough to keep the thread pool busy.
const batchSize = 64;

async function readEntry(name: string, location: string): Promise<TreeEntry | undefined> {
  try {
    const stats = await lstat(location);
    const kind = kindOf(stats);
    const linkTarget = kind === "link" ? await readlink(location) : undefined;
    const about = { sizeBytes: stats.size, modifiedAt: stats.mtime.toISOString() };
    return { name, kind, ...about, ...defined({ linkTarget }) };
  } catch (error) {
    // Removed or replaced since the names were read.
    if (errorCodeOf(error) === "ENOENT" || errorCodeOf(error) === "EINVAL") return undefined;
    throw error;
  }
}
