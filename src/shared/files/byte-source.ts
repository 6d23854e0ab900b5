/** Bytes that can be read at any position: an open file, or content that a preview holds in memory. */
export interface ByteSource {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number; readonly buffer: Buffer }>;
}

export function bytesAsSource(bytes: Buffer): ByteSource {
  return {
    async read(buffer, offset, length, position) {
      const bytesRead = bytes.copy(buffer, offset, Math.min(position, bytes.length), position + length);
      return { bytesRead, buffer };
    },
  };
}
