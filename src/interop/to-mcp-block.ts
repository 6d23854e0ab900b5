import type { ContentBlock } from "@modelcontextprotocol/server";
import { type ContentPart, partToText } from "../tool/content-part.ts";

/** A part of a result as MCP tells it, with nothing but well-formed text in it. */
export function toMcpBlock(part: ContentPart): ContentBlock {
  switch (part.type) {
    case "image":
    case "audio":
      return { type: part.type, data: part.data, mimeType: part.mimeType };
    case "resource": {
      const about = { uri: part.uri.toWellFormed(), ...mimeTypeOf(part) };
      const { text } = part;
      if (text === undefined) return { type: "resource", resource: { ...about, blob: part.blob } };
      return { type: "resource", resource: { ...about, text: text.toWellFormed() } };
    }
    case "link": {
      const { uri, name, description } = part;
      return {
        type: "resource_link",
        uri: uri.toWellFormed(),
        name: name.toWellFormed(),
        ...(description !== undefined && { description: description.toWellFormed() }),
        ...mimeTypeOf(part),
      };
    }
    default:
      return { type: "text", text: partToText(part).toWellFormed() };
  }
}

function mimeTypeOf({ mimeType }: { readonly mimeType?: string }): { mimeType?: string } {
  return mimeType === undefined ? {} : { mimeType };
}
