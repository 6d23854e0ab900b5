import type { FileHandle } from "node:fs/promises";
import { createHash } from "../crypto.ts";

/** Writes the pieces in order, hashing each while it is written. */
export async function writeWhole(
  handle: FileHandle,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<{ readonly hash: string; readonly sizeBytes: number }> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const piece of pieces) {
    const writing = writeAt(handle, piece, sizeBytes);
    hash.update(piece);
    await writing;
    sizeBytes += piece.length;
  }
  return { hash: hash.digest("hex"), sizeBytes };
}

/** Writes bytes without hashing them. */
export async function writeBytes(handle: FileHandle, bytes: Buffer): Promise<void> {
  let position = 0;
  for (const piece of inPieces([bytes])) {
    await writeAt(handle, piece, position);
    position += piece.length;
  }
}

export function* inPieces(given: readonly Buffer[]): Generator<Buffer> {
  // Many small parts, as an edit has, take one write.
  const isSmall = given.length > 1 && given.reduce((sum, { length }) => sum + length, 0) <= pieceBytes;
  const parts = isSmall ? [Buffer.concat(given)] : given;
  for (const part of parts) {
    for (let start = 0; start < part.length; start += pieceBytes)
      yield part.subarray(start, start + pieceBytes);
  }
}

const pieceBytes = 2 ** 20;

/** Writes until everything is written: one call may write less, for example on a nearly full disk. */
async function writeAt(handle: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesWritten } = await handle.write(piece, done, piece.length - done, position + done);
    done += bytesWritten;
  }
}
