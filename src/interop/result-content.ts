import { type AudioPart, type ContentPart, type ImagePart, partToText } from "../tool/content-part.ts";
import type { CallAnswer } from "./tool-format.ts";

export interface ResultContent {
  readonly text: string;
  /** Those of a kind that the model can see; of any other the text says that there is one. */
  readonly images: readonly ImagePart[];
  /** Those of a kind that the model can hear. */
  readonly recordings: readonly AudioPart[];
}

type Types = Pick<ReadonlySet<string>, "has">;

/** What a model reads of a result, and what it sees and hears. */
export function contentOf(
  { result }: Pick<CallAnswer, "result">,
  imageTypes: Types,
  { audioTypes = new Set() }: { audioTypes?: Types } = {},
): ResultContent {
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
      return `[an image of type ${part.mimeType}, which cannot be shown to you]`;
    case "audio":
      return `[a recording of type ${part.mimeType}, which cannot be played to you]`;
    default:
      return partToText(part);
  }
}

export function hasFailed({ result }: Pick<CallAnswer, "result">): boolean {
  return result.status !== "done";
}

/** What OpenAI's and Anthropic's models can see. */
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

export function countImages(count: number): string {
  return count === 1 ? "1 image" : `${count} images`;
}
