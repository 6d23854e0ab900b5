import type { ImagePart } from "../tool/tool-result.ts";

/** A text and the images that belong to it, as the AI SDK takes them in a tool's output. */
export function toAiSdkContent(text: string, images: readonly ImagePart[]) {
  return {
    type: "content" as const,
    value: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...images.map(({ mimeType, data }) => ({
        type: "file" as const,
        mediaType: mimeType,
        data: { type: "data" as const, data },
      })),
    ],
  };
}
