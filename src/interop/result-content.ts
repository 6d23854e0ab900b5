import type { ContentPart, ImagePart } from "../tool/tool-result.ts";
import type { AnsweredCall } from "./tool-format.ts";

export interface ResultContent {
  readonly text: string;
  /** Those of a kind that the model can see; of any other the text says that there is one. */
  readonly images: readonly ImagePart[];
}

/** What a model reads of a result, and what it sees. */
export function contentOf(
  { result }: Pick<AnsweredCall, "result">,
  imageTypes: Pick<ReadonlySet<string>, "has">,
): ResultContent {
  const { content, text } = result;
  if (!content.some((part) => part.type === "image")) return { text: text.toWellFormed(), images: [] };
  const canSee = (part: ContentPart): part is ImagePart =>
    part.type === "image" && imageTypes.has(part.mimeType);
  const texts = content.flatMap((part) => (canSee(part) ? [] : partToText(part)));
  return { text: texts.join("\n").toWellFormed(), images: content.filter(canSee) };
}

export function hasFailed({ result }: Pick<AnsweredCall, "result">): boolean {
  return result.status !== "done";
}

function partToText(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
      return `[an image of type ${part.mimeType}, which cannot be shown to you]`;
    case "structured":
      return JSON.stringify(part.data);
  }
}

/** What OpenAI's and Anthropic's models can see. */
export const commonImageTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export function toDataUrl({ mimeType, data }: ImagePart): string {
  return `data:${mimeType};base64,${data}`;
}
