import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { FoundFile } from "../../tool/search.ts";
import type { SearchPlace } from "./search-place.ts";

/** Collects files and asks for their sizes and times while the search still goes on. */
export interface FoundFileCollector {
  add(name: string): void;
  /** Newest first. What has vanished meanwhile is left out. */
  finish(): Promise<FoundFile[]>;
}

// Fewer are not worth a thread.
const batchSize = 1000;

export function createFoundFileCollector({ root, signal, statThread }: SearchPlace): FoundFileCollector {
  const batches: Promise<Described[]>[] = [];
  let names: string[] = [];

  const describeBatch = () => {
    const batch = names;
    names = [];
    const isWorthThread = statThread !== undefined && (batch.length >= batchSize || batches.length > 0);
    const stats = isWorthThread
      ? statThread.read(root.location, batch)
      : readStats(batch, { folder: root.location, signal });
    const described = stats.then((all) => batch.flatMap((name, index) => describeFile(name, all, index)));
    // Whoever finishes hears of a failure; until then it must not count as unhandled.
    described.catch(() => {});
    batches.push(described);
  };

  return {
    add(name) {
      names.push(name);
      if (statThread !== undefined && names.length === batchSize) describeBatch();
    },
    async finish() {
      describeBatch();
      const described = (await Promise.all(batches)).flat();
      signal.throwIfAborted();
      return described.sort(newestFirst).map(({ name, ...file }) => toFoundFile(root.nameOf(name), file));
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

function describeFile(name: string, stats: Float64Array, index: number): Described[] {
  const modifiedMs = stats[index * 2]!;
  const sizeBytes = stats[index * 2 + 1]!;
  if (!Number.isNaN(modifiedMs)) return [{ name, modifiedMs, sizeBytes }];
  // A name that is not UTF-8 cannot be asked for by its text; it is there all the same.
  return name.includes("\uFFFD") ? [{ name, modifiedMs: Number.NEGATIVE_INFINITY, sizeBytes }] : [];
}

function newestFirst(left: Described, right: Described): number {
  if (left.modifiedMs !== right.modifiedMs) return right.modifiedMs > left.modifiedMs ? 1 : -1;
  return left.name < right.name ? -1 : 1;
}

function toFoundFile(path: string, { modifiedMs, sizeBytes }: Omit<Described, "name">): FoundFile {
  if (Number.isNaN(sizeBytes)) return { path };
  return { path, sizeBytes, modifiedAt: new Date(modifiedMs).toISOString() };
}
