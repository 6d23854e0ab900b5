import { lstat, readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { randomUUID } from "../../../shared/crypto.ts";
import { errorCodeOf } from "../../../shared/files/error-code.ts";

/**
 * Keeps a folder of blobs within its quota by evicting the least recently used. The function that it returns is called after
 * each new blob.
 */
export function createBlobQuota(folder: string, quotaBytes: number, findNeeded: () => Promise<IsNeeded>) {
  let usedBytes: number | undefined;
  let addedBytes = 0;
  return async (sizeBytes: number): Promise<void> => {
    addedBytes += bytesOnDisk(sizeBytes);
    // Other processes also add to the folder, so its size is measured again from time to time.
    const isDue = addedBytes > quotaBytes / 8;
    if (usedBytes !== undefined && !isDue && usedBytes + addedBytes <= quotaBytes) return;
    addedBytes = 0;
    ({ usedBytes } = await evictBlobs(folder, { quotaBytes, isNeeded: await findNeeded() }));
  };
}

interface Eviction {
  readonly quotaBytes: number;
  /** These stay, also over the quota. */
  readonly isNeeded?: IsNeeded;
  /** Those used since then stay: a process that is alive may be in the middle of a change that needs them. */
  readonly sparedSinceMs?: number;
  readonly isDryRun?: boolean;
}

/** Whether a change that has not ended may have to be taken back with the blob of this hash. */
export type IsNeeded = (hash: string) => boolean;

/** Removes the least recently used blobs until the rest is within the quota. */
export async function evictBlobs(
  folder: string,
  {
    quotaBytes,
    isNeeded = () => false,
    sparedSinceMs = Number.POSITIVE_INFINITY,
    isDryRun = false,
  }: Eviction,
) {
  const blobs = (await readBlobs(folder)).sort((one, other) => one.usedMs - other.usedMs);
  let usedBytes = blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let [count, bytes] = [0, 0];
  for (const { place, sizeBytes, usedMs, state } of blobs) {
    const isWanted = usedBytes <= quotaBytes || usedMs >= sparedSinceMs || isNeeded(basename(place));
    if (state === "coming" || (state === "kept" && isWanted)) continue;
    usedBytes -= sizeBytes;
    if (!isDryRun && !(await removeOwn(place))) continue;
    bytes += sizeBytes;
    count += 1;
  }
  return { usedBytes, count, bytes };
}

/** Removes a file or folder. False if another process was faster, so that it is not counted twice. */
export async function removeOwn(place: string): Promise<boolean> {
  // Renamed first, because removing a folder takes several steps. A folder that is left is removed like any other.
  const own = `${place}.${randomUUID()}.new`;
  try {
    await rename(place, own);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return false;
    throw error;
  }
  await rm(own, { recursive: true, force: true });
  return true;
}

interface Blob {
  readonly place: string;
  readonly sizeBytes: number;
  readonly usedMs: number;
  /** `coming`: still being written; `left-over`: from a process that was killed while writing. */
  readonly state: "kept" | "coming" | "left-over";
}

async function readBlobs(folder: string): Promise<Blob[]> {
  const names = await readdir(folder).catch(() => []);
  const found: (Blob | undefined)[] = [];
  for (let start = 0; start < names.length; start += batchSize) {
    const batch = names.slice(start, start + batchSize);
    found.push(...(await Promise.all(batch.map((name) => readBlob(join(folder, name))))));
  }
  return found.filter((blob) => blob !== undefined);
}

// Enough to keep the thread pool busy.
const batchSize = 64;

async function readBlob(place: string): Promise<Blob | undefined> {
  // Another process may have evicted it since the names were read.
  const stats = await lstat(place).catch(() => undefined);
  if (stats === undefined) return undefined;
  const isOld = Date.now() - stats.mtimeMs > leftOverAfterMs;
  const state = place.endsWith(".new") ? (isOld ? "left-over" : "coming") : "kept";
  return { place, sizeBytes: bytesOnDisk(stats.size), usedMs: stats.mtimeMs, state };
}

/**
 * The size in whole blocks, since a small file takes a block. The system may assign blocks only when it writes them, so
 * it is not asked.
 */
function bytesOnDisk(sizeBytes: number): number {
  return Math.ceil(sizeBytes / blockBytes) * blockBytes;
}

// Of nearly every file system.
const blockBytes = 4096;

const leftOverAfterMs = 60 * 60 * 1000;
