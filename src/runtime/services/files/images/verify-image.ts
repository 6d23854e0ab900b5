import type { SharpConstructor } from "sharp";
import { brokenImage } from "./broken-image.ts";
import { type DecodeOptions, decodeImage } from "./decode-image.ts";
import type { ImageSource } from "./image-source.ts";

/**
 * Refuses an image that could not be shown: one damaged image makes a model refuse the whole conversation.
 * Without a decoder, a file that has its end is believed.
 */
export async function verifyImage(
  source: ImageSource,
  sharp: SharpConstructor | undefined,
  options: DecodeOptions,
): Promise<void> {
  if (sharp !== undefined) await decodeImage(sharp, source, options);
  else if (!options.header.isComplete) throw brokenImage(source.format, "its end is missing");
}
