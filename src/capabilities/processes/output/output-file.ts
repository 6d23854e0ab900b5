import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

export type OutputFile = Awaited<ReturnType<typeof createOutputFile>>;

/**
 * Creates a file for a command's whole output, up to a cap, readable by the user alone; throws if it already exists.
 */
export async function createOutputFile(path: string, maxBytes: number) {
  const handle = await openNew(path);
  let filling: Buffer = emptySlab;
  let writing: Buffer = emptySlab;
  let filled = 0;
  let [accepted, written] = [0, 0];
  let isCapped = false;
  let pumping: Promise<void> | undefined;

  const pump = async () => {
    while (filled > 0) {
      const length = filled;
      [writing, filling] = [filling, writing];
      filled = 0;
      await handle.write(writing, 0, length, written);
      written += length;
    }
  };
  const startPumping = async () => {
    try {
      await pump();
    } catch {
      // On a full disk the rest of the output is lost, but the command goes on.
      accepted = written;
      filled = 0;
      isCapped = true;
    } finally {
      pumping = undefined;
    }
  };

  return {
    path,
    get bytes() {
      return accepted;
    },
    get isCapped() {
      return isCapped;
    },
    /** Copies the chunk. Await the returned promise before reading more, or memory fills up. */
    append(chunk: Buffer): Promise<void> | undefined {
      if (isCapped || chunk.length === 0) return undefined;
      const taken = chunk.subarray(0, maxBytes - accepted);
      isCapped = taken.length < chunk.length;
      if (filled + taken.length > filling.length) filling = enlarge(filling, filled, taken.length);
      taken.copy(filling, filled);
      filled += taken.length;
      accepted += taken.length;
      pumping ??= startPumping();
      return filled > enoughWaitingBytes ? pumping : undefined;
    },
    /** Resolves when everything is written. */
    async close(): Promise<void> {
      await pumping;
      // Everything is written by now; an error on close neither delays nor fails anything.
      handle.close().catch(() => {});
    },
  };
}

/** Creates the folder again if a cleaner of temporary files has removed it. */
async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, "wx", 0o600);
  }
}

const emptySlab = Buffer.alloc(0);
const slabBytes = 512 * 1024;
// Each stream may read once more before it stops; the slab has room for that.
const enoughWaitingBytes = 256 * 1024;

function enlarge(slab: Buffer, filled: number, moreBytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(slabBytes, filled + moreBytes));
  slab.copy(larger, 0, 0, filled);
  return larger;
}
