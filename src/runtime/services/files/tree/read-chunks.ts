import type { ByteSource } from "./byte-source.ts";

export interface ReadChunksOptions {
  readonly firstByte: number;
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
}

const maxChunkBytes = 512 * 1024;
const minChunkBytes = 4 * 1024;

/**
 * The bytes of a file in two buffers that take turns: the next chunk is being read while this one is looked at.
 * A chunk is good until the next one is asked for.
 */
export async function* readChunks(source: ByteSource, options: ReadChunksOptions): AsyncGenerator<Buffer> {
  const { firstByte, sizeBytes, signal } = options;
  // One byte more, so that a small file's end shows in its first chunk.
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
    // The buffer and the handle may only go once nothing reads any more.
    await reading.catch(() => {});
  }
}
