import { openThread } from "../../machine/child/index.ts";

export type StatThread = ReturnType<typeof createStatThread>;

export interface StatFolder {
  /** The plain path, used while it leads to the same folder: going through `location` takes half as long again. */
  readonly path: string;
  readonly location: string;
}

/**
 * Synchronous calls are five times as fast as those through the thread pool, and this thread has no other work to
 * block.
 */
const work = `
const { parentPort } = require("node:worker_threads");
const { lstatSync, statSync } = require("node:fs");
const isShort = ({ path, location }) => {
  try {
    const [found, wanted] = [lstatSync(path), statSync(location)];
    return found.ino === wanted.ino && found.dev === wanted.dev;
  } catch {
    return false;
  }
};
const readAll = (folder, names) => {
  const stats = new Float64Array(names.length * 2).fill(NaN);
  for (let index = 0; index < names.length; index += 1) {
    try {
      const found = lstatSync(folder + "/" + names[index], { throwIfNoEntry: false });
      if (found === undefined) continue;
      stats[index * 2] = found.mtimeMs;
      stats[index * 2 + 1] = found.size;
    } catch {}
  }
  return stats;
};
parentPort.on("message", ({ ask: answer, given: { folder, names: joined } }) => {
  const names = joined.split("\\0");
  const first = isShort(folder) ? readAll(folder.path, names) : undefined;
  const value = first !== undefined && isShort(folder) ? first : readAll(folder.location, names);
  parentPort.postMessage({ answer, value }, [value.buffer]);
});`;

/** Reads sizes and times of very many files, in a thread that is started when first needed. */
export function createStatThread() {
  let started: ReturnType<typeof openThread> | undefined;
  const endedBy = (thrown: unknown) => {
    started = undefined;
    return thrown instanceof Error ? thrown : new Error("the thread that reads sizes and times has ended");
  };
  return {
    /** Two numbers per name: modification time in milliseconds, and size; NaN if the file is missing. */
    async read(folder: StatFolder, names: readonly string[]): Promise<Float64Array> {
      started ??= openThread({ source: work }, { endedBy });
      const { worker, peer } = started;
      worker.ref();
      try {
        // One long string is transferred faster than thousands of short ones.
        return (await peer.ask("stats", { folder, names: names.join("\0") })) as Float64Array;
      } finally {
        // The thread keeps the process alive only while a request is pending.
        if (!peer.isWaiting) worker.unref();
      }
    },
    close: async (): Promise<void> => void (await started?.worker.terminate()),
  };
}
