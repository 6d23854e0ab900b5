import type { BigIntStats } from "node:fs";
import { type FileHandle, lchown, lstat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { missing, type Owner } from "../../../kernel/events/index.ts";
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
} from "../../../machine/locks/index.ts";
import { fileId } from "../../../shared/files/file-stamp.ts";
import { readChunks } from "../../../shared/files/read-chunks.ts";
import { inPieces, writeWhole } from "../../../shared/files/write-whole.ts";
import { foldName } from "../../../shared/glob/fold-name.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type Intent, noIntent } from "../intents/intent.ts";
import { commitStep } from "./commit-step.ts";
import { createDiskView, type DiskOptions, type DiskView } from "./disk-view.ts";
import { notStored } from "./not-stored.ts";
import type { OpenFolder } from "./open-folder.ts";
import { replaceFile, type WrittenContent } from "./replace-file.ts";
import { requireStamp } from "./require-stamp.ts";
import type { FileContent, PutFileOptions, Tree } from "./tree.ts";

export interface DiskTreeOptions extends DiskOptions {
  /** Every change is written down in it first. */
  readonly intent?: Intent | undefined;
  /** Throws if the session that makes the changes belongs to another process by now. Default: it belongs to none. */
  readonly confirmOwner?: (() => void) | undefined;
}

/** The disk. Every change is made through a folder that was opened and verified first, never by path alone. */
export function createDiskTree(options: DiskTreeOptions, view = createDiskView(options)): Tree {
  const { inFolderOf, openRegular } = view;
  const { blobs, signal, nameOf, intent = noIntent, confirmOwner = () => {} } = options;
  const own = { signal, confirmOwner, stepLock: intent.stepLock };
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

  return {
    ...view,
    putFile: (path, content, put: PutFileOptions = {}) =>
      change(path, (folder, name, note) => {
        const fill = (handle: FileHandle) => fillFrom(content, handle, { blobs, signal, openRegular });
        return replaceFile(folder, name, { path, shownPath: nameOf(path), note, fill, put, own });
      }),
    putFolder: (path, { mode, owner, durable = true } = {}) =>
      change(path, async (folder, name, note) => {
        note({ kind: "folder", path });
        await commitStep([folder], own, () => mkdirNow(folder.at(name)));
        await giveTo(owner, folder.at(name));
        if (mode !== undefined) setModeNow(folder.at(name), mode);
        if (durable) await folder.sync();
        return { kind: "directory", mode: (await lstat(folder.at(name))).mode & 0o7777 };
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

async function fillFrom(
  content: FileContent,
  handle: FileHandle,
  { blobs, signal, openRegular }: Pick<DiskTreeOptions, "blobs" | "signal"> & Pick<DiskView, "openRegular">,
): Promise<WrittenContent> {
  if ("bytes" in content) return writeWhole(handle, inPieces([content.bytes]));
  if ("parts" in content) return writeWhole(handle, inPieces(content.parts));
  if ("pieces" in content) return writeWhole(handle, untilAborted(content.pieces, signal));
  const source =
    "copyOf" in content ? (await openRegular(content.copyOf)).handle : await blobs.open(content.blob);
  if (source === undefined) throw notStored();
  try {
    const { size } = await source.stat();
    const written = await writeWhole(handle, readChunks(source, { firstByte: 0, sizeBytes: size, signal }));
    if ("blob" in content && written.hash !== content.blob) throw damaged(content.blob);
    return written;
  } finally {
    await source.close();
  }
}

async function* untilAborted(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

function isSameFile(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one !== undefined && other !== undefined && !one.isDirectory() && fileId(one) === fileId(other);
}

/** Two such names may be one, and not two of the same file. */
function isSpelledAlike(one: string, other: string): boolean {
  return dirname(one) === dirname(other) && foldName(basename(one)) === foldName(basename(other));
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

function damaged(hash: string): ToolError {
  return new ToolError("unavailable", `the stored earlier version is damaged (${hash.slice(0, 12)})`);
}
