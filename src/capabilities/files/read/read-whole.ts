import { createHash } from "../../../shared/crypto.ts";
import type { ByteSource } from "../tree/byte-source.ts";

/** Reads all bytes and hashes each piece while the next one is read. */
export async function readWhole(
  source: ByteSource,
  { sizeBytes, signal }: { sizeBytes: number; signal: AbortSignal },
): Promise<{ readonly bytes: Buffer; readonly hash: string }> {
  const hash = createHash("sha256");
  // One byte more, to notice a file that has grown.
  let bytes = Buffer.allocUnsafeSlow(sizeBytes + 1);
  let filled = 0;
  const readNext = () => source.read(bytes, filled, Math.min(pieceBytes, bytes.length - filled), filled);
  let reading = readNext();
  while (true) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) break;
    signal.throwIfAborted();
    const piece = bytes.subarray(filled, filled + bytesRead);
    filled += bytesRead;
    if (filled === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafeSlow(bytes.length)]);
    reading = readNext();
    hash.update(piece);
  }
  return { bytes: bytes.subarray(0, filled), hash: hash.digest("hex") };
}

const pieceBytes = 2 ** 20;
