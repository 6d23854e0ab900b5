import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { FoundFile } from "../../tool/services/search.ts";
import type { SearchPlace } from "./search-place.ts";

// Smaller batches are not worth a thread.
const batchSize = 1000;

/** Collects files, and reads their sizes and times while the search is still running. */
export function createFoundFileCollector({ root, signal, statThread }: SearchPlace) {
  const batches: Promise<void>[] = [];
  const described: Described[] = [];
  let names: string[] = [];

  const describeBatch = () => {
    const batch = names;
    names = [];
    const isWorthThread = batch.length >= batchSize || batches.length > 0;
    const reading = isWorthThread
      ? statThread.read({ path: root.folder, location: root.location }, batch)
      : readStats(batch, { folder: root.location, signal });
    const describing = reading.then((stats) => describeFiles(batch, stats, described));
    // `finish` reports a failure; until then it must not be an unhandled rejection.
    describing.catch(() => {});
    batches.push(describing);
  };

  return {
    add(name: string): void {
      names.push(name);
      if (names.length === batchSize) describeBatch();
    },
    /** Newest first. Files that have vanished are left out; those beyond `maxFiles` are only counted. */
    async finish(maxFiles: number): Promise<{ files: FoundFile[]; totalFiles: number }> {
      describeBatch();
      await Promise.all(batches);
      signal.throwIfAborted();
      const formatTime = createTimeFormat();
      const files = described
        .sort(newestFirst)
        .slice(0, maxFiles)
        .map(({ name, modifiedMs, sizeBytes }) => {
          const path = root.nameOf(name);
          return Number.isNaN(sizeBytes) ? { path } : { path, sizeBytes, modifiedAt: formatTime(modifiedMs) };
        });
      return { files, totalFiles: described.length };
    },
  };
}

// Enough to keep the thread pool busy.
const concurrency = 32;

async function readStats(
  names: readonly string[],
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<Float64Array> {
  const stats = new Float64Array(names.length * 2).fill(Number.NaN);
  let next = 0;
  const work = async () => {
    while (next < names.length && !signal.aborted) {
      const index = next;
      next += 1;
      const found = await lstat(join(folder, names[index]!)).catch(() => undefined);
      if (found !== undefined) stats.set([found.mtimeMs, found.size], index * 2);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, names.length) }, work));
  return stats;
}

interface Described {
  readonly name: string;
  readonly modifiedMs: number;
  readonly sizeBytes: number;
}

function describeFiles(names: readonly string[], stats: Float64Array, described: Described[]): void {
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!;
    const modifiedMs = stats[index * 2]!;
    const sizeBytes = stats[index * 2 + 1]!;
    if (!Number.isNaN(modifiedMs)) described.push({ name, modifiedMs, sizeBytes });
    // A name that is not UTF-8 cannot be looked up by its text, but the file exists.
    else if (name.includes("\uFFFD"))
      described.push({ name, modifiedMs: Number.NEGATIVE_INFINITY, sizeBytes });
  }
}

function newestFirst(left: Described, right: Described): number {
  if (left.modifiedMs !== right.modifiedMs) return right.modifiedMs > left.modifiedMs ? 1 : -1;
  return left.name < right.name ? -1 : 1;
}

/**
 * Formats times as ISO 8601. The text of the last second is reused: in a list sorted by time, many files share a second,
 * and formatting a date takes longer than finding a file.
 */
function createTimeFormat(): (ms: number) => string {
  let lastSecond = Number.NaN;
  let lastText = "";
  return (ms) => {
    const known = Math.floor(Math.max(-maxDateMs, Math.min(ms, maxDateMs)));
    const second = Math.floor(known / 1000);
    if (second !== lastSecond) {
      lastSecond = second;
      lastText = new Date(second * 1000).toISOString().slice(0, -4);
    }
    return `${lastText}${String(known - second * 1000).padStart(3, "0")}Z`;
  };
}

// File systems can store times outside the range of a Date.
const maxDateMs = 8.64e15;
