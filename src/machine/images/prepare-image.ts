import type { Sharp, SharpConstructor } from "sharp";
import { imageFormatOf, mimeTypeOf } from "../../shared/content/image-format.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { decodeHeic } from "./decode-heic.ts";
import { encodePixels, openPixels, type Pixels } from "./encode-pixels.ts";
import { brokenImage, missingPackage } from "./image-errors.ts";
import { hasPlainHeader, type ImageHeader, type ImageSource, readPlainHeader } from "./plain-header.ts";

export interface ImageOptions {
  /** Larger images are refused before decoding. */
  readonly maxPixels?: number;
  /** Wider or higher images are scaled down. */
  readonly maxSide?: number;
  /** Length of the base64 text, which is what providers limit. */
  readonly maxOutputBytes?: number;
  /** Media types that the model accepts. */
  readonly accepts?: readonly string[];
}

export interface PreparedImage {
  /** The file in base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  readonly original: ReturnType<typeof describeOriginal>;
  /** Conversions made; empty if the bytes are the original ones. */
  readonly notes: readonly string[];
}

/** Prepares an image for a model: unchanged if possible, otherwise rotated, scaled down or converted. */
export async function prepareImage(bytes: Buffer, options: ImageOptions = {}): Promise<PreparedImage> {
  const limits = { ...defaultLimits, ...options };
  const source = recognize(bytes);
  const sharp = await loadSharp();
  const header = await readHeader(source, sharp);
  checkPixels(header, limits);
  if (canStay(source, header, limits)) {
    // Providers refuse the whole conversation for a damaged image. Without a decoder, one with its end marker counts as
    // complete.
    if (sharp !== undefined) await decodeImage(sharp, source, { header, ...limits });
    else if (!header.isComplete) throw brokenImage(source.format, "its end is missing");
    const original = describeOriginal(source, header);
    const { mimeType, width, height } = original;
    return { data: bytes.toString("base64"), mimeType, width, height, original, notes: [] };
  }
  if (sharp === undefined) throw missingPackage("sharp", "turning, converting or downsizing an image");
  return convert(source, sharp, { header, ...limits });
}

type Limits = Required<ImageOptions>;

const defaultLimits: Limits = {
  maxPixels: 40_000_000,
  maxSide: 2000,
  maxOutputBytes: 4_500_000,
  accepts: ["image/jpeg", "image/png", "image/gif", "image/webp"],
};

function recognize(bytes: Buffer): ImageSource {
  const format = imageFormatOf(bytes);
  if (format !== undefined) return { bytes, format };
  throw new ToolError("binary-file", "this is not a supported image", {
    hint: "Images can be JPEG, PNG, GIF, WebP, TIFF, HEIC or AVIF.",
  });
}

function checkPixels({ width, height }: ImageHeader, { maxPixels }: Limits): void {
  if (width * height <= maxPixels) return;
  const megapixels = (pixels: number) => `${Number((pixels / 1e6).toFixed(2))} megapixels`;
  throw new ToolError(
    "too-large",
    `the image is ${width}x${height} pixels, ${megapixels(width * height)}; at most ${megapixels(maxPixels)} are read`,
    { hint: "Make it smaller with an image program first, or cut out the part that matters." },
  );
}

function canStay({ bytes, format }: ImageSource, header: ImageHeader, limits: Limits): boolean {
  return (
    limits.accepts.includes(mimeTypeOf(format)) &&
    header.orientation === 1 &&
    Math.max(header.width, header.height) <= limits.maxSide &&
    Math.ceil(bytes.length / 3) * 4 <= limits.maxOutputBytes
  );
}

/** The image as stored, before rotation. */
function describeOriginal({ bytes, format }: ImageSource, { width, height }: ImageHeader) {
  return { format, mimeType: mimeTypeOf(format), width, height, sizeBytes: bytes.length };
}

async function convert(
  source: ImageSource,
  sharp: SharpConstructor,
  options: DecodeOptions,
): Promise<PreparedImage> {
  const { format } = source;
  const { header } = options;
  const pixels = await decodeImage(sharp, source, options);
  const isLossless = format === "png" || format === "gif";
  const { data, width, height, ...encoded } = await encodePixels(sharp, pixels, { ...options, isLossless });
  const { pages: frames = 1 } = await openImage(sharp, source.bytes, options.maxPixels).metadata();
  const isSmaller = Math.max(width, height) < Math.max(header.width, header.height);
  const notes = [
    header.orientation === 1 ? [] : "turned upright",
    encoded.format === format ? [] : `converted from ${format.toUpperCase()}`,
    isSmaller ? `downsized from ${header.width}x${header.height}` : [],
    frames > 1 ? `reduced to one of ${frames} frames` : [],
  ].flat();
  const mimeType = mimeTypeOf(encoded.format);
  return { data, mimeType, width, height, original: describeOriginal(source, header), notes };
}

type DecodeOptions = Limits & { readonly header: ImageHeader };

/** The image's first frame, upright, in sRGB or grey, and no larger than requested. */
async function decodeImage(
  sharp: SharpConstructor,
  { bytes, format }: ImageSource,
  { header, maxPixels, maxSide }: DecodeOptions,
): Promise<Pixels> {
  const image =
    format === "heic"
      ? openPixels(sharp, await decodeHeic(bytes, header))
      : openImage(sharp, bytes, maxPixels);
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

/** Loads the optional package sharp; fails if it is not installed for this platform. */
async function loadSharp(): Promise<SharpConstructor | undefined> {
  try {
    return (await import("sharp")).default;
  } catch {
    return undefined;
  }
}

/** Reads the header ourselves if that is enough, otherwise with the decoder. */
async function readHeader(source: ImageSource, sharp: SharpConstructor | undefined): Promise<ImageHeader> {
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
    const image = openImage(sharp, bytes, Number.MAX_SAFE_INTEGER);
    const { width, height, orientation = 1 } = await image.metadata();
    return { width, height, orientation, isComplete: true };
  } catch (cause) {
    throw brokenImage(format, cause);
  }
}

/** Opens the first frame of an image with limits on size and time, without decoding it yet. */
function openImage(sharp: SharpConstructor, bytes: Buffer, maxPixels: number): Sharp {
  // Real photographs often cause harmless warnings.
  const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", sequentialRead: true });
  return image.timeout({ seconds: maxDecodeSeconds });
}

const maxDecodeSeconds = 60;
