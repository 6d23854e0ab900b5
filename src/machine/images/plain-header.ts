import type { ImageFormat } from "../../shared/content/image-format.ts";

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

/** Reads marker by marker up to the pixel data; size and orientation come before it. */
function readJpegHeader(bytes: Buffer): ImageHeader | undefined {
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

const riffBytes = 12;

function readWebpHeader(bytes: Buffer): ImageHeader | undefined {
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

/** EXIF orientation, 1 (upright) to 8. Invalid EXIF data counts as upright. */
function exifOrientation(exif: Buffer): number {
  const start = exif.toString("latin1", 0, 6) === "Exif\0\0" ? 6 : 0;
  const data = new DataView(exif.buffer, exif.byteOffset + start, exif.length - start);
  try {
    const isLittle = exif.toString("latin1", start, start + 2) === "II";
    const directory = data.getUint32(4, isLittle);
    const count = data.getUint16(directory, isLittle);
    for (let entry = directory + 2; entry < directory + 2 + count * entryBytes; entry += entryBytes) {
      if (data.getUint16(entry, isLittle) !== orientationTag) continue;
      const orientation = data.getUint16(entry + 8, isLittle);
      return orientation >= 1 && orientation <= 8 ? orientation : 1;
    }
  } catch (error) {
    // The data ends before the entry.
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

const entryBytes = 12;
const orientationTag = 0x0112;

export interface ImageSource {
  readonly bytes: Buffer;
  readonly format: ImageFormat;
}

/** Properties of the stored image, read without decoding pixels. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** As in EXIF: 1 is upright, 2 to 8 are rotated or mirrored. */
  readonly orientation: number;
  /** Whether the file has its end marker; a cheap sign that it is complete. */
  readonly isComplete: boolean;
}
