import type { SharpConstructor } from "sharp";
import { brokenImage } from "./broken-image.ts";
import { decodeHeic } from "./decode-heic.ts";
import type { ImageHeader } from "./image-header.ts";
import type { ImageSource } from "./image-source.ts";
import { openImage } from "./open-image.ts";
import type { Pixels } from "./pixels.ts";

export interface DecodeImageOptions {
  readonly header: ImageHeader;
  readonly maxPixels: number;
  readonly maxSide: number;
}

/** The image's first frame, upright, in sRGB or grey, and no larger than requested. */
export async function decodeImage(
  sharp: SharpConstructor,
  { bytes, format }: ImageSource,
  { header, maxPixels, maxSide }: DecodeImageOptions,
): Promise<Pixels> {
  const image =
    format === "heic"
      ? openPixels(sharp, await decodeHeic(bytes, header))
      : openImage(sharp, bytes, { maxPixels });
  try {
    const { data, info } = await image
      .autoOrient()
      .resize(maxSide, maxSide, { fit: "inside", withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, channels: info.channels };
  } catch (cause) {
    throw brokenImage(format, cause);
  }
}

function openPixels(sharp: SharpConstructor, { data, width, height, channels }: Pixels) {
  return sharp(data, { raw: { width, height, channels } });
}
