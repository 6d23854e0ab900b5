import { readGifHeader } from "./gif-header.ts";
import type { ImageFormat } from "./image-format.ts";
import type { ImageHeader } from "./image-header.ts";
import type { ImageSource } from "./image-source.ts";
import { readJpegHeader } from "./jpeg-header.ts";
import { readPngHeader } from "./png-header.ts";
import { readWebpHeader } from "./webp-header.ts";

/** The formats that models take: their headers are read without a decoder. */
export function hasPlainHeader(format: ImageFormat): boolean {
  return readers.has(format);
}

/** Such a header, or nothing where it makes no sense. */
export function readPlainHeader({ bytes, format }: ImageSource): ImageHeader | undefined {
  try {
    const header = readers.get(format)?.(bytes);
    return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // The bytes end before the size is told.
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
