import { constants } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "../../../shared/crypto.ts";
import { errorCodeOf } from "../../../shared/files/error-code.ts";

export type InheritedFiles = ReturnType<typeof createInheritedFiles>;
export type MarkableFile = Awaited<ReturnType<InheritedFiles["addMarkable"]>>;

/** The first descriptor number in the child: 0 to 2 are its standard streams, and 3 is reserved for its starter. */
const firstNumber = 4;

/** Files that a child process inherits by descriptor number. */
export function createInheritedFiles() {
  const handles: FileHandle[] = [];
  const keep = (handle: FileHandle) => {
    handles.push(handle);
    return firstNumber + handles.length - 1;
  };
  return {
    /** Adds a file with this content. Returns the child's descriptor number, as `open` does. */
    add: async (content: Uint8Array) => keep(await openUnlinkedFile(content)),
    /**
     * As `add`, with a way to tell whether the child has written to it since; to be closed once that is no longer asked.
     */
    async addMarkable(content: Uint8Array) {
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
    /** Undefined if the file does not exist or may not be read. */
    async open(path: string) {
      try {
        return keep(await open(path, "r"));
      } catch (error) {
        if (["ENOENT", "EACCES"].includes(errorCodeOf(error) ?? "")) return undefined;
        throw error;
      }
    },
    /** Whether the child's descriptor with this number is one of them. */
    has: (number: number) => number >= firstNumber && number < firstNumber + handles.length,
    /** Our own numbers for them, in the order of the child's. */
    numbers: (): readonly number[] => handles.map(({ fd }) => fd),
    async close() {
      await Promise.all(handles.splice(0).map((handle) => handle.close()));
    },
  };
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
