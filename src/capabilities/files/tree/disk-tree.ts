import type { BigIntStats } from "node:fs";
import { type FileHandle, lchown, lstat, readlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { missing, type Owner, type PathState } from "../../../kernel/events/file-change.ts";
import type { BlobStore, KeptBlob } from "../../../kernel/store/blobs/blob-store.ts";
import {
  closeNow,
  constants,
  fchmodNow,
  lstatNow,
  mkdirNow,
  openNow,
  renameNow,
  rmdirNow,
  symlinkNow,
  unlinkNow,
} from "../../../machine/locks/files-now.ts";
import { fileError } from "../../../machine/paths/file-error.ts";
import { openContained } from "../../../machine/paths/open-contained.ts";
import { disk } from "../../../machine/paths/walk-path.ts";
import { hashSource } from "../../../shared/files/hash-source.ts";
import { kindOf } from "../../../shared/files/kind-of.ts";
import { readChunks } from "../../../shared/files/read-chunks.ts";
import type { Roots } from "../../../shared/files/workspace-roots.ts";
import { inPieces, writeWhole } from "../../../shared/files/write-whole.ts";
import { foldName } from "../../../shared/glob/fold-name.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type Intent, noIntent } from "../intents/intent.ts";
import { commitStep } from "./commit-step.ts";
import { fileId, fileStamp } from "./file-stamp.ts";
import { type OpenFolder, openFolder } from "./open-folder.ts";
import { readEntries } from "./read-entries.ts";
import { replaceFile } from "./replace-file.ts";
import { requireStamp } from "./require-stamp.ts";
import { type FileContent, openFileOf, type PathLook, type PutFileOptions, type Tree } from "./tree.ts";

export interface DiskTreeOptions {
  readonly roots: Roots;
  readonly blobs: BlobStore;
  readonly signal: AbortSignal;
  /** What every change is written down in first. */
  readonly intent?: Intent;
  /** Throws if the session that makes the changes belongs to another process by now. Default: it belongs to none. */
  readonly confirmOwner?: (() => void) | undefined;
  nameOf(canonical: string): string;
}

/** The disk. Every change is made through a folder that was opened and verified first, never by path alone. */
export function createDiskTree(options: DiskTreeOptions): Tree {
  const { roots, blobs, signal, nameOf, intent = noIntent, confirmOwner = () => {} } = options;
  const own = { signal, confirmOwner, stepLock: intent.stepLock };
  /** Runs `work` in the path's opened folder; errors name the path. */
  const inFolderOf = async <Result>(
    path: string,
    work: (folder: OpenFolder, name: string) => Promise<Result>,
  ): Promise<Result> => {
    const shownPath = nameOf(path);
    try {
      const folder = await openFolder(dirname(path), { shownPath, contains: roots.contains });
      return await work(folder, basename(path)).finally(folder.close);
    } catch (error) {
      throw fileError(error, shownPath);
    }
  };

  /** Makes a change in the path's folder that is written down before. */
  const change = <Result>(
    path: string,
    work: (folder: OpenFolder, name: string, note: Intent["step"]) => Promise<Result>,
  ): Promise<Result> => {
    let isNoted = false;
    const note: Intent["step"] = (step) => {
      intent.step(step);
      isNoted = true;
    };
    return inFolderOf(path, (folder, name) => work(folder, name, note)).catch((error: unknown) => {
      intent.missed(isNoted);
      throw error;
    });
  };

  const openRegular = (path: string, shownPath = nameOf(path)) =>
    openContained(path, { kind: "file", shownPath, mayOpen: roots.mayRead });

  const look = async (path: string): Promise<PathLook> => {
    try {
      if (!roots.contains(dirname(path))) return await lookAtRoot(path);
      return await inFolderOf(path, (folder, name) => lookAt(folder.at(name)));
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

  const openFile: Tree["openFile"] = async (path, shownPath) => {
    const { handle, stats } = await openRegular(path, shownPath);
    const about = {
      sizeBytes: Number(stats.size),
      mode: Number(stats.mode) & 0o7777,
      stamp: fileStamp(stats),
    };
    return openFileOf(handle, about);
  };

  /** The state of a path; `hashOf` computes a file's hash. */
  const stateBy = async (
    path: string,
    hashOf: (opened: Awaited<ReturnType<typeof openRegular>>) => Promise<string>,
  ): Promise<PathState> => {
    const { kind, mode, owner } = await look(path);
    const owned = owner === undefined ? {} : { owner };
    if (kind === "missing") return missing;
    if (kind === "directory") return { kind, mode, ...owned };
    if (kind === "link")
      return { kind, target: await inFolderOf(path, (folder, name) => readlink(folder.at(name))), ...owned };
    const opened = await openRegular(path);
    try {
      const { stats } = opened;
      const hash = await hashOf(opened);
      return {
        kind: "file",
        hash,
        mode: Number(stats.mode) & 0o7777,
        sizeBytes: Number(stats.size),
        ...ownerOf(stats),
      };
    } finally {
      await opened.handle.close();
    }
  };

  const fillFrom = async (content: FileContent, handle: FileHandle) => {
    if ("bytes" in content) return writeWhole(handle, inPieces([content.bytes]));
    if ("parts" in content) return writeWhole(handle, inPieces(content.parts));
    if ("pieces" in content) return writeWhole(handle, untilAborted(content.pieces));
    const source =
      "copyOf" in content ? (await openRegular(content.copyOf)).handle : await openBlob(content.blob);
    try {
      const { size } = await source.stat();
      const written = await writeWhole(handle, readChunks(source, { firstByte: 0, sizeBytes: size, signal }));
      if ("blob" in content && written.hash !== content.blob) throw damaged(content.blob);
      return written;
    } finally {
      await source.close();
    }
  };

  async function* untilAborted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      yield piece;
    }
  }

  const openBlob = async (hash: string): Promise<FileHandle> => {
    const handle = await blobs.open(hash);
    if (handle === undefined) throw notStored();
    return handle;
  };

  return {
    ...disk,
    look,
    openFile,
    entries: (folder, maxEntries) =>
      readEntries(folder, { maxEntries, shownPath: nameOf(folder), mayOpen: roots.mayRead }),
    state: (path) =>
      stateBy(path, ({ handle, stats }) => hashSource(handle, { sizeBytes: Number(stats.size), signal })),
    preserve: (path) => stateBy(path, async ({ location }) => (await kept(blobs.keepFile(location))).hash),
    async keep({ bytes, hash }) {
      await kept(blobs.keepBytes(bytes, hash));
    },
    putFile: (path, content, { durable = true, ...options }: PutFileOptions = {}) =>
      change(path, (folder, name, note) => {
        const fill = (handle: FileHandle) => fillFrom(content, handle);
        const about = { path, shownPath: nameOf(path), note };
        return replaceFile(folder, name, { ...options, ...about, ...own, durable, fill });
      }),
    putFolder: (path, { mode, owner, durable = true } = {}) =>
      change(path, async (folder, name, note) => {
        note({ kind: "folder", path });
        await commitStep([folder], own, () => mkdirNow(folder.at(name)));
        await giveTo(owner, folder.at(name));
        if (mode !== undefined) setModeNow(folder.at(name), mode);
        if (durable) await folder.sync();
        return { kind: "directory", mode: (await lookAt(folder.at(name))).mode };
      }),
    putLink: (path, target, { owner } = {}) =>
      change(path, async (folder, name, note) => {
        note({ kind: "link", path, target });
        await commitStep([folder], own, () => symlinkNow(target, folder.at(name)));
        await giveTo(owner, folder.at(name));
        return { kind: "link", target };
      }),
    setMode: (path, mode) =>
      change(path, async (folder, name, note) => {
        const before = lstatNow(folder.at(name)).mode & 0o7777;
        note({ kind: "mode", path, before, after: mode });
        await commitStep([folder], own, () => setModeNow(folder.at(name), mode));
      }),
    remove: (path, expected, before = missing) =>
      change(path, async (folder, name, note) => {
        note({ kind: "remove", path, before });
        await commitStep([folder], own, () => {
          const place = folder.at(name);
          const stats = requireStamp(place, { expected, shownPath: nameOf(path) });
          if (stats?.isDirectory()) rmdirNow(place);
          else unlinkNow(place);
        });
      }),
    rename: (from, to, { before = missing, ...expected } = {}) =>
      change(from, (source, oldName, note) =>
        inFolderOf(to, async (destination, newName) => {
          const [old, fresh] = [source.at(oldName), destination.at(newName)];
          const id = fileId(lstatNow(old, { bigint: true }));
          note({ kind: "rename", from, to, id, before });
          await commitStep([source, destination], own, () => {
            const moved = requireStamp(old, { expected: expected.from, shownPath: nameOf(from) });
            const replaced = requireStamp(fresh, { expected: expected.to, shownPath: nameOf(to) });
            // Renaming one name of a file to another of the same file does nothing, and leaves both.
            if (isSameFile(moved, replaced) && !isSpelledAlike(from, to)) unlinkNow(old);
            else renameNow(old, fresh);
          });
        }),
      ),
  };
}

function isSameFile(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one !== undefined && other !== undefined && !one.isDirectory() && fileId(one) === fileId(other);
}

/** Two such names may be one, and not two of the same file. */
function isSpelledAlike(one: string, other: string): boolean {
  return dirname(one) === dirname(other) && foldName(basename(one)) === foldName(basename(other));
}

const nothing: PathLook = { kind: "missing", mode: 0, sizeBytes: 0, stamp: "" };

async function lookAt(place: string): Promise<PathLook> {
  return toLook(await lstat(place, { bigint: true }));
}

function toLook(stats: BigIntStats): PathLook {
  return {
    kind: kindOf(stats),
    mode: Number(stats.mode) & 0o7777,
    sizeBytes: Number(stats.size),
    stamp: fileStamp(stats),
    ...ownerOf(stats),
  };
}

/** The owner, if it differs from the one a new file would get. */
function ownerOf({ uid, gid }: BigIntStats): { readonly owner?: Owner } {
  const isOwn = Number(uid) === process.geteuid?.() && Number(gid) === process.getegid?.();
  return isOwn || process.geteuid === undefined ? {} : { owner: { uid: Number(uid), gid: Number(gid) } };
}

/** Usually only root may change owners; otherwise the owner stays. Never changes the owner of a link's target. */
async function giveTo(owner: Owner | undefined, place: string): Promise<void> {
  if (owner !== undefined) await lchown(place, owner.uid, owner.gid).catch(() => {});
}

/** Opens the file first: a chmod by name would follow a link that has replaced it. */
function setModeNow(place: string, mode: number): void {
  const descriptor = openNow(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    fchmodNow(descriptor, mode);
  } finally {
    closeNow(descriptor);
  }
}

/** Refuses the change if the old content cannot be saved for undo. */
function kept(keeping: Promise<KeptBlob>): Promise<KeptBlob> {
  return keeping.catch((cause: unknown) => {
    throw new ToolError(
      "unavailable",
      "the current content could not be saved for undo, so nothing was changed",
      {
        hint: "Check whether the disk that holds earlier versions is full.",
        cause,
      },
    );
  });
}

function notStored(): ToolError {
  return new ToolError("unavailable", "the earlier version is no longer stored", {
    hint: "It was larger than the space for earlier versions, or was evicted to make room for newer ones.",
  });
}

function damaged(hash: string): ToolError {
  return new ToolError("unavailable", `the stored earlier version is damaged (${hash.slice(0, 12)})`);
}
