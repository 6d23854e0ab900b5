import { exifOrientation } from "./exif-orientation.ts";
import type { ImageHeader } from "./image-header.ts";

const riffBytes = 12;

export function readWebpHeader(bytes: Buffer): ImageHeader | undefined {
  const size = readSize(bytes);
  const end = bytes.readUInt32LE(4) + 8;
  return size && { ...size, orientation: findOrientation(bytes), isComplete: end <= bytes.length };
}

/** The size is in the first chunk, which is extended, lossy or lossless. */
function readSize(bytes: Buffer): { width: number; height: number } | undefined {
  switch (bytes.toString("latin1", riffBytes, riffBytes + 4)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8 ":
      if (bytes.readUIntBE(23, 3) !== lossyMark) return undefined;
      return { width: bytes.readUInt16LE(26) & maxSide, height: bytes.readUInt16LE(28) & maxSide };
    case "VP8L": {
      if (bytes.readUInt8(20) !== losslessMark) return undefined;
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & maxSide) + 1, height: ((packed >>> 14) & maxSide) + 1 };
    }
    default:
      return undefined;
  }
}

const lossyMark = 0x9d012a;
const losslessMark = 0x2f;
// Both store each side in 14 bits.
const maxSide = 0x3fff;

function findOrientation(bytes: Buffer): number {
  for (let position = riffBytes; position + 8 <= bytes.length; ) {
    const dataBytes = bytes.readUInt32LE(position + 4);
    const start = position + 8;
    if (bytes.toString("latin1", position, position + 4) === "EXIF") {
      return exifOrientation(bytes.subarray(start, start + dataBytes));
    }
    // Chunks start at even offsets.
    position = start + dataBytes + (dataBytes % 2);
  }
  return 1;
}
