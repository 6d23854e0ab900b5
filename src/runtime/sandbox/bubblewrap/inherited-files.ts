import { constants } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "../../../shared/crypto.ts";

/** Files to be handed to a child by number. */
export interface InheritedFiles {
  /** Gives the number by which the child knows it, as `open` does. */
  add(content: Uint8Array): Promise<number>;
  /** None where there is no such file, or not for us. */
  open(path: string): Promise<number | undefined>;
  numbers(): readonly number[];
  close(): Promise<void>;
}

/** The child's first number for them: 0 to 2 are its streams, and 3 belongs to whoever starts it. */
const firstNumber = 4;

export function createInheritedFiles(): InheritedFiles {
  const handles: FileHandle[] = [];
  return {
    add: async (content) => keep(await openUnlinkedFile(content)),
    open: async (path) => {
      try {
        return keep(await open(path, "r"));
      } catch (error) {
        const isMissing = ["ENOENT", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "");
        if (isMissing) return undefined;
        throw error;
      }
    },
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

/** A file that no longer has a name, open at its beginning: a way to hand bytes to a child by descriptor. */
async function openUnlinkedFile(content: Uint8Array): Promise<FileHandle> {
  const path = join(tmpdir(), `toolwright-${randomUUID()}`);
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await unlink(path);
    // Written by position, which leaves the descriptor's own position at 0 for the child to read from.
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
