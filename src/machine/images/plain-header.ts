import type { ImageFormat } from "../../shared/content/image-format.ts";
import { exifOrientation } from "./exif-orientation.ts";
import type { ImageHeader } from "./image-header.ts";
import type { ImageSource } from "./image-source.ts";
import { readJpegHeader } from "./jpeg-header.ts";
import { readWebpHeader } from "./webp-header.ts";

/** Formats that models accept; their headers are read without a decoder. */
export function hasPlainHeader(format: ImageFormat): boolean {
  return readers.has(format);
}

/** Undefined if the header is invalid. */
export function readPlainHeader({ bytes, format }: ImageSource): ImageHeader | undefined {
  try {
    const header = readers.get(format)?.(bytes);
    return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // The bytes end before the size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const readers: ReadonlyMap<ImageFormat, (bytes: Buffer) => ImageHeader | undefined> = new Map([
  ["jpeg", readJpegHeader],
  ["png", readPngHeader],
  ["gif", readGifHeader],
  ["webp", readWebpHeader],
]);

const pngSignatureBytes = 8;

function readPngHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  let orientation = 1;
  let isComplete = false;
  for (let position = pngSignatureBytes; position + 12 <= bytes.length && !isComplete; ) {
    const dataBytes = bytes.readUInt32BE(position);
    const type = bytes.toString("latin1", position + 4, position + 8);
    const start = position + 8;
    if (type === "eXIf") orientation = exifOrientation(bytes.subarray(start, start + dataBytes));
    isComplete = type === "IEND";
    position = start + dataBytes + 4;
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), orientation, isComplete };
}

const gifTrailer = 0x3b;

function readGifHeader(bytes: Buffer): ImageHeader {
  return {
    width: bytes.readUInt16LE(6),
    height: bytes.readUInt16LE(8),
    orientation: 1,
    isComplete: bytes.at(-1) === gifTrailer,
  };
}
