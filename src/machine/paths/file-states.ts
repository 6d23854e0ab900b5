import type { BigIntStats } from "node:fs";
import { constants, type FileHandle, lstat, open, readlink, stat } from "node:fs/promises";
import { createHash } from "../../shared/crypto.ts";

/** What files are and hold, in texts to be compared later. */
export interface FileStates {
  /** The state of the entry at the path, also if it is a link. */
  at(path: string): Promise<string>;
  /** The state of the file that links lead to. A folder is not looked into. */
  behind(path: string): Promise<string>;
}

/**
 * Files are told apart by their content: times say less than they seem to, because a program that has a file mapped
 * into its memory writes without changing them. Files beyond the limits are told apart by inode, size and times.
 */
export function createFileStates({ maxFiles = 1000, maxBytes = 64 * 2 ** 20 } = {}): FileStates {
  let files = 0;
  let bytes = 0;
  const stateOf = async (handle: FileHandle): Promise<string> => {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) return stats.isDirectory() ? folderState : "no file";
    files += 1;
    bytes += Number(stats.size);
    if (files > maxFiles || bytes > maxBytes) return `${identityOf(stats)} ${timesOf(stats)}`;
    return `${identityOf(stats)} ${await hashOf(handle, Number(stats.size))}`;
  };
  return {
    async at(path) {
      const stats = await lstat(path, { bigint: true }).catch(() => undefined);
      if (stats === undefined) return "missing";
      if (stats.isSymbolicLink()) return `link ${await readlink(path).catch(() => "gone")}`;
      if (!stats.isFile()) return `${identityOf(stats)} no file`;
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      return (await withFile(path, flags, stateOf)) ?? `${identityOf(stats)} ${timesOf(stats)}`;
    },
    async behind(path) {
      // Without O_NONBLOCK, opening a pipe would wait for a writer.
      const state = await withFile(path, constants.O_RDONLY | constants.O_NONBLOCK, stateOf);
      if (state !== undefined) return state;
      const stats = await stat(path, { bigint: true }).catch(() => undefined);
      return stats === undefined ? "missing" : `${identityOf(stats)} ${timesOf(stats)}`;
    },
  };
}

/** The state of a folder that is not looked into. */
export const folderState = "folder";

/** Undefined if it cannot be read. */
async function withFile(
  path: string,
  flags: number,
  use: (handle: FileHandle) => Promise<string>,
): Promise<string | undefined> {
  const handle = await open(path, flags).catch(() => undefined);
  try {
    return handle && (await use(handle));
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

function identityOf({ dev, ino, mode, size }: BigIntStats): string {
  return `${dev} ${ino} ${mode} ${size}`;
}

function timesOf({ mtimeNs, ctimeNs }: BigIntStats): string {
  return `${mtimeNs} ${ctimeNs}`;
}

/**
 * Reads in pieces, so that other work has its turn between them. Bytes that are appended meanwhile are left to the next
 * look.
 */
async function hashOf(handle: FileHandle, size: number): Promise<string> {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(Math.min(Math.max(size, 1), pieceBytes));
  for (let at = 0; at < size; ) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) break;
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest("hex");
}

const pieceBytes = 2 ** 17;
