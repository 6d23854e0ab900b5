import type { SharpConstructor } from "sharp";
import { brokenImage } from "./broken-image.ts";
import type { ImageHeader } from "./image-header.ts";
import type { ImageSource } from "./image-source.ts";
import { missingPackage } from "./missing-package.ts";
import { openImage } from "./open-image.ts";
import { hasPlainHeader, readPlainHeader } from "./plain-header.ts";

/** Reads the header ourselves if that is enough, otherwise with the decoder. */
export async function readHeader(
  source: ImageSource,
  sharp: SharpConstructor | undefined,
): Promise<ImageHeader> {
  if (hasPlainHeader(source.format)) {
    const header = readPlainHeader(source);
    if (header === undefined) throw brokenImage(source.format, "its header makes no sense");
    return header;
  }
  if (sharp === undefined) throw missingPackage("sharp", `reading ${source.format.toUpperCase()} images`);
  return askDecoder(source, sharp);
}

async function askDecoder({ bytes, format }: ImageSource, sharp: SharpConstructor): Promise<ImageHeader> {
  try {
    const image = openImage(sharp, bytes, { maxPixels: Number.MAX_SAFE_INTEGER });
    const { width, height, orientation = 1 } = await image.metadata();
    return { width, height, orientation, isComplete: true };
  } catch (cause) {
    throw brokenImage(format, cause);
  }
}
