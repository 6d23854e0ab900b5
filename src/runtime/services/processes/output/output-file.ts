import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** The file that holds the whole of an output, up to a cap. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: number;
  readonly isCapped: boolean;
  /** Copies the chunk. What it returns is to be waited for before more is read, or memory would fill up. */
  append(chunk: Buffer): Promise<void> | undefined;
  /** When everything is written. */
  close(): Promise<void>;
}

/** Makes the file, for its owner alone; one that is there already is an error. */
export async function createOutputFile(path: string, maxBytes: number): Promise<OutputFile> {
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
      // A full disk costs the rest of the file, not the command.
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
    append(chunk) {
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
    async close() {
      await pumping;
      // Everything is there by now; a disk that complains only at the very end is no reason to wait or to fail.
      handle.close().catch(() => {});
    },
  };
}

/** Whatever tidies up temporary files may have taken the folder, which is no reason to run nothing any more. */
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
// Both streams may bring one more read before they stop; the slab has room for these.
const enoughWaitingBytes = 256 * 1024;

function enlarge(slab: Buffer, filled: number, moreBytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(slabBytes, filled + moreBytes));
  slab.copy(larger, 0, 0, filled);
  return larger;
}
