import { countOf } from "../shared/text/count-of.ts";
import { type AudioPart, type ContentPart, type ImagePart, partToText } from "../tool/content-part.ts";
import type { CallAnswer } from "./tool-format.ts";

type Types = Pick<ReadonlySet<string>, "has">;

/**
 * The text, images and recordings that a model gets from a result: those of types that it can see or hear. The text
 * mentions all others.
 */
export function contentOf(
  { result }: Pick<CallAnswer, "result">,
  imageTypes: Types,
  { audioTypes = new Set() }: { audioTypes?: Types } = {},
) {
  const { content, text } = result;
  if (!content.some(isMedia)) return { text: text.toWellFormed(), images: [], recordings: [] };
  const canSee = (part: ContentPart): part is ImagePart =>
    part.type === "image" && imageTypes.has(part.mimeType);
  const canHear = (part: ContentPart): part is AudioPart =>
    part.type === "audio" && audioTypes.has(part.mimeType);
  const texts = content.flatMap((part) => (canSee(part) || canHear(part) ? [] : readPart(part)));
  return {
    text: texts.join("\n").toWellFormed(),
    images: content.filter(canSee),
    recordings: content.filter(canHear),
  };
}

function isMedia(part: ContentPart): part is ImagePart | AudioPart {
  return part.type === "image" || part.type === "audio";
}

function readPart(part: ContentPart): string {
  switch (part.type) {
    case "image":
      return `[an image (${part.mimeType}) that cannot be shown to you]`;
    case "audio":
      return `[a recording (${part.mimeType}) that cannot be played to you]`;
    default:
      return partToText(part);
  }
}

export function hasFailed({ result }: Pick<CallAnswer, "result">): boolean {
  return result.status !== "done";
}

/** Types that OpenAI's and Anthropic's models can see. */
export type CommonImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export const commonImageTypes: ReadonlySet<string> = new Set<CommonImageType>([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export function toDataUrl({ mimeType, data }: ImagePart): string {
  return `data:${mimeType};base64,${data}`;
}

/** A text with its images, as the AI SDK's tool output. */
export function toAiSdkContent(text: string, images: readonly ImagePart[]) {
  return {
    type: "content" as const,
    value: [
      // Never without a text: some providers send only the text as the answer.
      { type: "text" as const, text: text === "" ? countOf(images.length, "image") : text },
      ...images.map(toAiSdkFile),
    ],
  };
}

export function toAiSdkFile({ mimeType, data }: Pick<ImagePart, "mimeType" | "data">) {
  return { type: "file" as const, mediaType: mimeType, data: { type: "data" as const, data } };
}
