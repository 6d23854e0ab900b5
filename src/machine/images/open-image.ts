import type { Sharp, SharpConstructor } from "sharp";

/** Opens the first frame of an image with limits on size and time, without decoding it yet. */
export function openImage(
  sharp: SharpConstructor,
  bytes: Buffer,
  { maxPixels }: { maxPixels: number },
): Sharp {
  // Real photographs often cause harmless warnings.
  const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", sequentialRead: true });
  return image.timeout({ seconds: maxDecodeSeconds });
}

const maxDecodeSeconds = 60;
