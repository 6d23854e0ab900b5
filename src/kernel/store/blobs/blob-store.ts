import {
  chmod,
  constants,
  copyFile,
  type FileHandle,
  mkdir,
  open,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { hash as hashOf, randomUUID } from "../../../shared/crypto.ts";
import { errorCodeOf } from "../../../shared/files/error-code.ts";
import { hashSource } from "../../../shared/files/read-chunks.ts";
import { readWhole } from "../../../shared/files/read-whole.ts";
import { writeBytes } from "../../../shared/files/write-whole.ts";
import { createBlobQuota } from "./blob-quota.ts";
import { findNeededBlobs } from "./needed-blobs.ts";

export interface KeptBlob {
  /** SHA-256 of the bytes, and the blob's name. */
  readonly hash: string;
  /** False if it is larger than the whole quota. */
  readonly kept: boolean;
}

/**
 * Earlier contents of changed files, stored by hash. Over the quota, the least recently used blobs are evicted.
 * Several processes may share the folder.
 */
export interface BlobStore {
  /** The file must not be a link; on Linux, `/proc/self/fd/…` of an open file is safest. */
  keepFile(path: string): Promise<KeptBlob>;
  /** Pass `hash` if it is already known. */
  keepBytes(bytes: Buffer, hash?: string): Promise<KeptBlob>;
  /** Undefined if it was evicted or never stored. */
  read(hash: string): Promise<Buffer | undefined>;
  /** Opens a blob to read it in pieces; the caller closes the handle. */
  open(hash: string): Promise<FileHandle | undefined>;
  /**
   * For a change under way: blobs that are kept or read from now on are not evicted until the returned function is
   * called.
   */
  hold(): () => void;
}

export interface BlobStoreOptions {
  readonly quotaBytes?: number | undefined;
  /** With `power-loss`, a blob is synced to disk before the file it was taken from is changed. */
  readonly durability?: "process-crash" | "power-loss" | undefined;
  /** The folder in which processes write down their changes; blobs that undo them are not evicted. */
  readonly intentFolder?: string;
}

export async function openBlobStore(
  folder: string,
  { quotaBytes = 2 ** 30, durability = "process-crash", intentFolder }: BlobStoreOptions = {},
): Promise<BlobStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const holds = new Set<Set<string>>();
  const keepQuota = createBlobQuota(folder, quotaBytes, async () => {
    const needed = intentFolder === undefined ? undefined : await findNeededBlobs(intentFolder);
    return (hash) => needed?.has(hash) === true || [...holds].some((held) => held.has(hash));
  });
  const isDurable = durability === "power-loss";
  if (isDurable) await flush(dirname(folder));
  const placeOf = (hash: string) => join(folder, hash);

  const isKept = async (hash: string): Promise<boolean> => {
    // Before the blob is looked for or written: otherwise it could be removed meanwhile to make room for another.
    for (const held of holds) held.add(hash);
    const now = new Date();
    return utimes(placeOf(hash), now, now).then(() => true, ifMissing(false));
  };
  /** Writes to a temporary name first, so that a visible blob is always complete. */
  const keepAs = async (
    fill: (temporary: string) => Promise<Content>,
    isKnown = async (_hash: string) => false,
  ): Promise<KeptBlob> => {
    const temporary = join(folder, `${randomUUID()}.new`);
    try {
      const { hash, sizeBytes } = await fill(temporary);
      if (await isKnown(hash)) await rm(temporary, { force: true });
      else {
        if (isDurable) await flush(temporary);
        await rename(temporary, placeOf(hash));
        if (isDurable) await flush(folder);
        await keepQuota(sizeBytes);
      }
      return { hash, kept: true };
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  };
  const openBlob = async (hash: string): Promise<FileHandle | undefined> => {
    if (!/^[0-9a-f]{64}$/.test(hash) || !(await isKept(hash))) return undefined;
    return open(placeOf(hash)).catch(ifMissing(undefined));
  };

  return {
    async keepFile(path) {
      if ((await stat(path)).size > quotaBytes) return { hash: (await hashFile(path)).hash, kept: false };
      return keepAs((temporary) => copyAndHash(path, temporary), isKept);
    },
    async keepBytes(bytes, hash = hashOf("sha256", bytes)) {
      if (bytes.length > quotaBytes) return { hash, kept: false };
      if (await isKept(hash)) return { hash, kept: true };
      return keepAs(async (temporary) => {
        await closing(await open(temporary, "wx", 0o600), (handle) => writeBytes(handle, bytes));
        return { hash, sizeBytes: bytes.length };
      });
    },
    open: openBlob,
    hold() {
      const held = new Set<string>();
      holds.add(held);
      return () => void holds.delete(held);
    },
    async read(hash) {
      const opened = await openBlob(hash);
      if (opened === undefined) return undefined;
      return closing(opened, async (handle) => {
        const { size } = await handle.stat();
        return (await readWhole(handle, { sizeBytes: size, signal: never })).bytes;
      });
    },
  };
}

/** For scopes without undo: computes hashes and stores nothing. */
export const noBlobs: BlobStore = {
  keepFile: async (path) => ({ hash: (await hashFile(path)).hash, kept: false }),
  keepBytes: async (bytes, hash = hashOf("sha256", bytes)) => ({ hash, kept: false }),
  read: async () => undefined,
  open: async () => undefined,
  hold: () => () => {},
};

// Storing a blob is never cancelled halfway; the change that waits for it can be.
const never = new AbortController().signal;

interface Content {
  readonly hash: string;
  readonly sizeBytes: number;
}

/** Copies first and hashes the copy, so that the hash is right even if the file changes meanwhile. */
async function copyAndHash(from: string, to: string): Promise<Content> {
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await chmod(to, 0o600);
  return hashFile(to);
}

async function hashFile(path: string): Promise<Content> {
  return closing(await open(path), async (handle) => {
    const { size: sizeBytes } = await handle.stat();
    return { hash: await hashSource(handle, { sizeBytes, signal: never }), sizeBytes };
  });
}

/** Syncs a file's content, or the names in a folder. */
async function flush(path: string): Promise<void> {
  await closing(await open(path), (handle) => handle.sync());
}

function closing<Result>(handle: FileHandle, work: (handle: FileHandle) => Promise<Result>): Promise<Result> {
  return work(handle).finally(() => handle.close());
}

function ifMissing<Answer>(answer: Answer): (error: unknown) => Answer {
  return (error) => {
    if (errorCodeOf(error) === "ENOENT") return answer;
    throw error;
  };
}
