import { createHash } from "../crypto.ts";
import type { ByteSource } from "./byte-source.ts";

/** Reads all bytes and hashes each piece while the next one is read. */
export async function readWhole(
  source: ByteSource,
  { sizeBytes, signal }: { sizeBytes: number; signal: AbortSignal },
): Promise<{ readonly bytes: Buffer; readonly hash: string }> {
  const hash = createHash("sha256");
  // One byte more, to notice a file that has grown.
  let bytes = Buffer.allocUnsafeSlow(sizeBytes + 1);
  let filled = 0;
  const room = () => Math.min(pieceBytes, bytes.length - filled);
  const readNext = () => source.read(bytes, filled, room(), filled);
  let reading = readNext();
  // A read that got less than it asked for, at just the file's size, was its end.
  for (let isEnd = false; !isEnd; ) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) break;
    isEnd = bytesRead < room() && filled + bytesRead === sizeBytes;
    signal.throwIfAborted();
    const piece = bytes.subarray(filled, filled + bytesRead);
    filled += bytesRead;
    if (filled === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafeSlow(bytes.length)]);
    if (!isEnd) reading = readNext();
    hash.update(piece);
  }
  return { bytes: bytes.subarray(0, filled), hash: hash.digest("hex") };
}

const pieceBytes = 2 ** 20;
