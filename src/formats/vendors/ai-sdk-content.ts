import type { ImagePart } from "../../tool/tool-result.ts";
import { countImages } from "../result-content.ts";

/** A text with its images, as the AI SDK's tool output. */
export function toAiSdkContent(text: string, images: readonly ImagePart[]) {
  return {
    type: "content" as const,
    value: [
      // Never without a text: some providers send only the text as the answer.
      { type: "text" as const, text: text === "" ? countImages(images.length) : text },
      ...images.map(toAiSdkFile),
    ],
  };
}

export function toAiSdkFile({ mimeType, data }: Pick<ImagePart, "mimeType" | "data">) {
  return { type: "file" as const, mediaType: mimeType, data: { type: "data" as const, data } };
}
