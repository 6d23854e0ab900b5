import { constants } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "../../../shared/crypto.ts";

/** A file that no longer has a name, open at its beginning: a way to hand bytes to a child by descriptor. */
export async function openUnlinkedFile(content: Uint8Array): Promise<FileHandle> {
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
