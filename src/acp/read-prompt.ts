import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { MessagePart } from "../agent/user-message.ts";
import { fencedText } from "../shared/markdown/fenced-text.ts";

/** The parts of a prompt. What the editor attached is quoted, so that it does not pass for the person's own words. */
export function readPrompt(blocks: readonly ContentBlock[]): MessagePart[] {
  const images = blocks.flatMap((block): MessagePart[] =>
    block.type === "image" ? [{ type: "image", data: block.data, mimeType: block.mimeType }] : [],
  );
  return [{ type: "text", text: textOf(blocks) }, ...images];
}

function textOf(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => {
      switch (block.type) {
        case "text":
          return block.text;
        case "image":
          return "";
        case "resource_link":
          return `[${pathOf(block.uri)}]`;
        case "resource": {
          const { resource } = block;
          if (!("text" in resource)) return `[${pathOf(resource.uri)}, which is not text]`;
          return `\nContent of ${pathOf(resource.uri)}, attached by the editor:\n${fencedText(resource.text)}\n`;
        }
        default:
          return `[${block.type}, which cannot be shown to the model]`;
      }
    })
    .join("");
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}
