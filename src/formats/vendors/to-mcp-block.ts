import type { ContentBlock } from "@modelcontextprotocol/server";
import { defined } from "../../shared/options/defined.ts";
import { type ContentPart, partToText } from "../../tool/content-part.ts";

/** A part of a result in MCP's form. A part that would make the whole result invalid for a client becomes text. */
export function toMcpBlock(part: ContentPart): ContentBlock {
  if (!isReadable(part)) return asText(part);
  switch (part.type) {
    case "image":
    case "audio":
      return { type: part.type, data: part.data, mimeType: part.mimeType };
    case "resource": {
      const about = { uri: part.uri.toWellFormed(), ...defined({ mimeType: part.mimeType }) };
      const { text } = part;
      if (text === undefined) return { type: "resource", resource: { ...about, blob: part.blob } };
      return { type: "resource", resource: { ...about, text: text.toWellFormed() } };
    }
    case "link": {
      const { uri, name, title, description, mimeType, sizeBytes } = part;
      const about = {
        title: title?.toWellFormed(),
        description: description?.toWellFormed(),
        mimeType,
        size: sizeBytes,
      };
      return {
        type: "resource_link",
        uri: uri.toWellFormed(),
        name: name.toWellFormed(),
        ...defined(about),
      };
    }
    default:
      return asText(part);
  }
}

function isReadable(part: ContentPart): boolean {
  if (part.type === "image" || part.type === "audio") return isBase64(part.data);
  return part.type !== "resource" || part.blob === undefined || isBase64(part.blob);
}

/** The same check that MCP clients use. */
function isBase64(text: string): boolean {
  try {
    atob(text);
    return true;
  } catch {
    return false;
  }
}

function asText(part: ContentPart): ContentBlock {
  return { type: "text", text: partToText(part).toWellFormed() };
}
