import { constants } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "../../../shared/crypto.ts";

/** Files that a child process inherits by descriptor number. */
export interface InheritedFiles {
  /** Adds a file with this content. Returns the child's descriptor number, as `open` does. */
  add(content: Uint8Array): Promise<number>;
  /** Undefined if the file does not exist or may not be read. */
  open(path: string): Promise<number | undefined>;
  /**
   * As `add`, with a way to tell whether the child has written to it since; to be closed once that is no longer asked.
   */
  addMarkable(content: Uint8Array): Promise<MarkableFile>;
  /** Whether the child's descriptor with this number is one of them. */
  has(number: number): boolean;
  /** Our own numbers for them, in the order of the child's. */
  numbers(): readonly number[];
  close(): Promise<void>;
}

export interface MarkableFile {
  readonly number: number;
  isMarked(): Promise<boolean>;
  close(): Promise<void>;
}

/** The first descriptor number in the child: 0 to 2 are its standard streams, and 3 is reserved for its starter. */
const firstNumber = 4;

export function createInheritedFiles(): InheritedFiles {
  const handles: FileHandle[] = [];
  return {
    add: async (content) => keep(await openUnlinkedFile(content)),
    addMarkable: async (content) => {
      const handle = await openUnlinkedFile(content);
      const number = keep(handle);
      // A separate one, because the child's is closed once it has been passed on.
      const own = await open(`/proc/self/fd/${handle.fd}`, "r");
      return {
        number,
        isMarked: async () => (await own.stat()).size > content.length,
        close: () => own.close(),
      };
    },
    open: async (path) => {
      try {
        return keep(await open(path, "r"));
      } catch (error) {
        const isMissing = ["ENOENT", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "");
        if (isMissing) return undefined;
        throw error;
      }
    },
    has: (number) => number >= firstNumber && number < firstNumber + handles.length,
    numbers: () => handles.map(({ fd }) => fd),
    close: async () => {
      await Promise.all(handles.splice(0).map((handle) => handle.close()));
    },
  };

  function keep(handle: FileHandle): number {
    handles.push(handle);
    return firstNumber + handles.length - 1;
  }
}

/** An unlinked temporary file, open at its start: a way to pass bytes to a child by descriptor. */
async function openUnlinkedFile(content: Uint8Array): Promise<FileHandle> {
  const path = join(tmpdir(), `toolwright-${randomUUID()}`);
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await unlink(path);
    // Positional writes leave the descriptor's own position at 0, where the child starts reading.
    await writeWhole(handle, content);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function writeWhole(handle: FileHandle, content: Uint8Array): Promise<void> {
  for (let position = 0; position < content.length; ) {
    const { bytesWritten } = await handle.write(content, position, content.length - position, position);
    position += bytesWritten;
  }
}
