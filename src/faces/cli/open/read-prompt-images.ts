import { readFile, stat } from "node:fs/promises";
import type { MessagePart } from "../../../capabilities/agents/user-message.ts";
import { imageFormatOf, mimeTypeOf } from "../../../shared/content/image-format.ts";
import { UsageError } from "../usage-error.ts";

/** The images that the person names, as parts of the prompt. */
export async function readPromptImages(files: readonly string[] = []): Promise<MessagePart[]> {
  return Promise.all(files.map(readImageFile));
}

/** Rejects with a usage error for a file that is not an image, or is too large. */
export async function readImageFile(file: string): Promise<MessagePart> {
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined || !stats.isFile())
    throw new UsageError(
      `--image: there is no file ${file}${file.includes(",") ? "; give --image once for each image" : ""}`,
    );
  if (stats.size > maxBytes)
    throw new UsageError(`--image: ${file} is larger than 7 MB; make it smaller first`);
  const bytes = await readFile(file);
  const format = imageFormatOf(bytes.subarray(0, headBytes));
  if (format === undefined)
    throw new UsageError(`--image: ${file} is not an image; use PNG, JPEG, GIF or WebP`);
  return { type: "image", data: bytes, mimeType: mimeTypeOf(format) };
}

/** Encoded, it is a third longer. */
const maxBytes = 7 * 1024 * 1024;
const headBytes = 64;
