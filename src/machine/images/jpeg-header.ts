import { exifOrientation } from "./exif-orientation.ts";
import type { ImageHeader } from "./image-header.ts";

/** Reads marker by marker up to the pixel data; size and orientation come before it. */
export function readJpegHeader(bytes: Buffer): ImageHeader | undefined {
  let size: { width: number; height: number } | undefined;
  let orientation: number | undefined;
  let position = 2;
  while (true) {
    if (bytes.readUInt8(position) !== 0xff) return undefined;
    const marker = bytes.readUInt8(position + 1);
    // A marker may be preceded by any number of fill bytes.
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    if (marker === startOfPixels) break;
    const end = position + 2 + bytes.readUInt16BE(position + 2);
    if (isFrame(marker)) {
      size = { width: bytes.readUInt16BE(position + 7), height: bytes.readUInt16BE(position + 5) };
    }
    if (marker === metadata && bytes.toString("latin1", position + 4, position + 10) === "Exif\0\0") {
      orientation ??= exifOrientation(bytes.subarray(position + 10, end));
    }
    position = end;
  }
  const isComplete = bytes.lastIndexOf(endOfImage) > position;
  return size && { ...size, orientation: orientation ?? 1, isComplete };
}

const startOfPixels = 0xda;
const metadata = 0xe1;
const endOfImage = Buffer.from([0xff, 0xd9]);

/** C4, C8 and CC are tables, though their numbers are among the frame markers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
