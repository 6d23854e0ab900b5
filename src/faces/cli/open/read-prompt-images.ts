import { readFile, stat } from "node:fs/promises";
import type { MessagePart } from "../../../capabilities/agents/index.ts";
import { imageFormatOf, mimeTypeOf } from "../../../shared/content/image-format.ts";
import { UsageError } from "../command.ts";
import type { FlagValues } from "../flags.ts";
import { readStdin } from "../read-values.ts";

/** Reads the prompt of `toolwright run` with its images; undefined if a resumed conversation goes on without one. */
export async function readRunPrompt(
  argument: string | undefined,
  { image, resume }: Pick<FlagValues, "image" | "resume">,
): Promise<string | readonly MessagePart[] | undefined> {
  const text = argument === "-" ? await readStdin() : argument;
  if (text === undefined ? resume === undefined : text.trim() === "")
    throw new UsageError('no prompt given; usage: toolwright run "<prompt>", or - to read it from stdin');
  const images = await readPromptImages(image);
  if (images.length === 0) return text;
  return text === undefined ? images : [{ type: "text", text }, ...images];
}

/** The images that the person names, as parts of the prompt. */
export async function readPromptImages(files: readonly string[] = []): Promise<MessagePart[]> {
  return Promise.all(files.map(readImageFile));
}

/** Reads an image. Rejects with a usage error for a file that is not an image, or is too large. */
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

/** The longest image; encoded, it is a third longer. */
const maxBytes = 7 * 1024 * 1024;
const headBytes = 64;
