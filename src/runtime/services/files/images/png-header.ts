import { exifOrientation } from "./exif-orientation.ts";
import type { ImageHeader } from "./image-header.ts";

const signatureBytes = 8;

export function readPngHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  let orientation = 1;
  let isComplete = false;
  for (let position = signatureBytes; position + 12 <= bytes.length && !isComplete; ) {
    const dataBytes = bytes.readUInt32BE(position);
    const type = bytes.toString("latin1", position + 4, position + 8);
    const start = position + 8;
    if (type === "eXIf") orientation = exifOrientation(bytes.subarray(start, start + dataBytes));
    isComplete = type === "IEND";
    position = start + dataBytes + 4;
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), orientation, isComplete };
}
