import type { BigIntStats } from "node:fs";
import { constants, type FileHandle, lstat, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { missing, type Owner } from "../../../kernel/events/index.ts";
import { fstatNow, renameNow } from "../../../machine/locks/index.ts";
import { fileId, fileStamp } from "../../../shared/files/file-stamp.ts";
import { kindOf } from "../../../shared/files/kind-of.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Intent } from "../intents/intent.ts";
import { commitStep, type StepOptions } from "./commit-step.ts";
import type { OpenFolder } from "./open-folder.ts";
import { changedMeanwhile, requireStamp } from "./require-stamp.ts";
import { isTemporaryName, temporaryName } from "./temporary-name.ts";
import type { FileState, PutFile, PutFileOptions } from "./tree.ts";

export interface ReplaceFileOptions {
  readonly path: string;
  readonly shownPath: string;
  readonly put: PutFileOptions;
  readonly own: StepOptions;
  /** Called before each step. */
  readonly note: Intent["step"];
  /** Writes the content of the new file. */
  fill(handle: FileHandle): Promise<WrittenContent>;
}

export type WrittenContent = Pick<FileState, "hash" | "sizeBytes">;

/**
 * Creates or replaces a file atomically: readers, and the disk after a crash, have either the old content or the new.
 * Hard links to the old file keep the old content.
 */
export async function replaceFile(
  folder: OpenFolder,
  name: string,
  options: ReplaceFileOptions,
): Promise<PutFile> {
  const place = folder.at(name);
  const { path, shownPath, note, put, own } = options;
  const { before = missing, durable = true, owner, meanwhile } = put;
  const look = () => requireReplaceable(place, { expected: put.expected, shownPath });
  const ownName = temporaryName();
  const temporary = folder.at(ownName);
  const existing = look();
  const mode = put.mode ?? (existing === undefined ? undefined : Number(existing.mode) & 0o7777);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  note({ kind: "put", path, temporary: join(dirname(path), ownName), before });
  // Private until it gets its final mode.
  const handle = await open(temporary, flags, mode === undefined ? 0o666 : 0o600);
  try {
    const content = await options.fill(handle);
    if (mode !== undefined) await takeOver(handle, mode, owner ?? existing);
    const flushing = durable ? [handle.sync(), removeLeftovers(folder, ownName)] : [];
    await settleAll([...flushing, meanwhile?.()]);
    const filled = fstatNow(handle.fd, { bigint: true });
    const after: FileState = { kind: "file", ...content, mode: Number(filled.mode) & 0o7777 };
    note({ kind: "ready", path, after, id: fileId(filled) });
    await commitStep([folder], own, () => {
      look();
      renameNow(temporary, place);
    });
    // After the rename, which changes the file's ctime.
    const stamp = fileStamp(fstatNow(handle.fd, { bigint: true }));
    await Promise.all([durable && folder.sync(), handle.close()]);
    return { state: after, stamp };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

function requireReplaceable(
  place: string,
  options: { readonly expected: string | undefined; readonly shownPath: string },
): BigIntStats | undefined {
  const stats = requireStamp(place, options);
  if (stats === undefined || stats.isFile()) return stats;
  const { shownPath } = options;
  if (kindOf(stats) === "directory") throw new ToolError("is-directory", `${shownPath} is a directory`);
  throw changedMeanwhile(shownPath);
}

// A temporary file unmodified for this long is no longer being written.
const maxAgeMs = 60 * 60 * 1000;

/** Removes temporary files that killed writers left in a folder. Failing is harmless. */
async function removeLeftovers(folder: OpenFolder, ownName: string): Promise<void> {
  try {
    const names = (await readdir(folder.at("."))).filter((name) => name !== ownName && isTemporaryName(name));
    for (const name of names) {
      const stats = await lstat(folder.at(name));
      if (stats.isFile() && Date.now() - stats.mtimeMs > maxAgeMs) await rm(folder.at(name));
    }
  } catch {
    // The next write tries again.
  }
}

/** Waits for all even if one fails, because the file must not be closed while work on it is running. */
async function settleAll(work: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

/** Sets the owner first, because chown clears setuid and setgid; if the owner cannot be kept, those bits are dropped. */
async function takeOver(handle: FileHandle, mode: number, owner: AnyOwner | undefined): Promise<void> {
  const isOwned = owner === undefined || (await giveTo(handle, owner));
  await handle.chmod(isOwned ? mode : mode & 0o777);
}

type AnyOwner = Owner | Pick<BigIntStats, "uid" | "gid">;

async function giveTo(handle: FileHandle, { uid, gid }: AnyOwner): Promise<boolean> {
  const own = fstatNow(handle.fd);
  if (own.uid === Number(uid) && own.gid === Number(gid)) return true;
  return handle.chown(Number(uid), Number(gid)).then(
    () => true,
    () => false,
  );
}
