import type { Sharp, SharpConstructor } from "sharp";

/** The first frame of an image in the decoder, bounded in size and in time. Nothing is decoded yet. */
export function openImage(
  sharp: SharpConstructor,
  bytes: Buffer,
  { maxPixels }: { maxPixels: number },
): Sharp {
  // Real photographs often have harmless oddities: a warning is no reason to refuse one.
  const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", sequentialRead: true });
  return image.timeout({ seconds: maxDecodeSeconds });
}

const maxDecodeSeconds = 60;
