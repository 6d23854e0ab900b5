import { createHash } from "../crypto.ts";
import type { ByteSource } from "./byte-source.ts";

export interface ReadChunksOptions {
  readonly firstByte: number;
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
}

const maxChunkBytes = 512 * 1024;
const minChunkBytes = 4 * 1024;

/**
 * Reads a file with two alternating buffers: the next chunk is read while the caller uses this one.
 * A chunk is valid only until the next one is requested.
 */
export async function* readChunks(source: ByteSource, options: ReadChunksOptions): AsyncGenerator<Buffer> {
  const { firstByte, sizeBytes, signal } = options;
  // One byte more, so that the first read of a small file already reaches its end.
  const chunkBytes = Math.min(maxChunkBytes, Math.max(minChunkBytes, sizeBytes + 1));
  const buffers = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)] as const;
  const readInto = (buffer: Buffer, position: number) => source.read(buffer, 0, chunkBytes, position);

  let position = firstByte;
  let turn: 0 | 1 = 0;
  let reading = readInto(buffers[0], position);
  try {
    while (true) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await reading;
      if (bytesRead === 0) return;
      position += bytesRead;
      turn = turn === 0 ? 1 : 0;
      reading = readInto(buffers[turn], position);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    // The handle must not be closed, nor the buffer freed, during a read.
    await reading.catch(() => {});
  }
}

export async function hashSource(
  source: ByteSource,
  options: Pick<ReadChunksOptions, "sizeBytes" | "signal">,
): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of readChunks(source, { ...options, firstByte: 0 })) hash.update(chunk);
  return hash.digest("hex");
}
