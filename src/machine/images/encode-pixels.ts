import type { Sharp, SharpConstructor } from "sharp";
import { mimeTypeOf } from "../../shared/content/image-format.ts";
import { ToolError } from "../../tool/tool-error.ts";

type EncodedFormat = "jpeg" | "png" | "webp";

interface EncodeOptions {
  readonly accepts: readonly string[];
  readonly maxOutputBytes: number;
  /** Drawings and screenshots need lossless compression to stay sharp. */
  readonly isLossless: boolean;
}

/** Encodes pixels in an accepted format, within the byte limit: first by denser compression, then by scaling down. */
export async function encodePixels(
  sharp: SharpConstructor,
  pixels: Pixels,
  { accepts, maxOutputBytes, isLossless }: EncodeOptions,
) {
  const formats = chooseFormats(accepts, preferred(isLossless, !isOpaque(pixels)));
  let maxSide = Math.max(pixels.width, pixels.height);
  while (true) {
    let smallest = Number.POSITIVE_INFINITY;
    for (const format of formats) {
      const image = await encode(sharp, pixels, { format, maxSide });
      if (image.data.length <= maxOutputBytes) return image;
      smallest = Math.min(smallest, image.data.length);
    }
    if (maxSide === 1)
      throw new ToolError("too-large", `no image fits into ${maxOutputBytes} bytes`, {
        hint: "Allow more bytes for an image.",
      });
    // The file size is proportional to the area; a bit less, because small images compress worse.
    maxSide = Math.max(1, Math.floor(maxSide * Math.min(0.75, 0.9 * Math.sqrt(maxOutputBytes / smallest))));
  }
}

function chooseFormats(
  accepts: readonly string[],
  wanted: readonly EncodedFormat[],
): readonly EncodedFormat[] {
  const accepted = wanted.filter((format) => accepts.includes(mimeTypeOf(format)));
  if (accepted.length > 0) return accepted.slice(0, 2);
  throw new ToolError("unsupported", "the image must be converted, but no accepted format can hold it", {
    hint: `Accept one of ${wanted.map(mimeTypeOf).join(", ")}.`,
  });
}

function preferred(isLossless: boolean, isTransparent: boolean): readonly EncodedFormat[] {
  if (isTransparent) return ["png", "webp", "jpeg"];
  return isLossless ? ["png", "jpeg", "webp"] : ["jpeg", "webp", "png"];
}

async function encode(
  sharp: SharpConstructor,
  pixels: Pixels,
  { format, maxSide }: { format: EncodedFormat; maxSide: number },
) {
  const image = openPixels(sharp, pixels).resize(maxSide, maxSide, { fit: "inside" });
  const { data, info } = await encoders[format](image).toBuffer({ resolveWithObject: true });
  return { format, width: info.width, height: info.height, data: data.toString("base64") };
}

export function openPixels(sharp: SharpConstructor, { data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

const encoders: Readonly<Record<EncodedFormat, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.flatten({ background: "white" }).jpeg({ quality: 85 }),
  png: (image) => image.png(),
  webp: (image) => image.webp({ quality: 85 }),
};

/** Decoded, upright, one byte per channel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 1 or 2 for grey, 3 or 4 for colour; an even number includes opacity. */
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: Buffer;
}

function isOpaque({ channels, data }: Pixels): boolean {
  if (channels % 2 === 1) return true;
  for (let position = channels - 1; position < data.length; position += channels)
    if (data[position] !== 255) return false;
  return true;
}
