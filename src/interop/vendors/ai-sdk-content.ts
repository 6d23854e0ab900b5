import type { ImagePart } from "../../tool/tool-result.ts";
import { countImages } from "../result-content.ts";

/** A text and the images that belong to it, as the AI SDK takes them in a tool's output. */
export function toAiSdkContent(text: string, images: readonly ImagePart[]) {
  return {
    type: "content" as const,
    value: [
      // Never without a text: some providers answer the call with that alone.
      { type: "text" as const, text: text === "" ? countImages(images.length) : text },
      ...images.map(({ mimeType, data }) => ({
        type: "file" as const,
        mediaType: mimeType,
        data: { type: "data" as const, data },
      })),
    ],
  };
}
