import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { imageFormatOf, mimeTypeOf } from "../../runtime/images/image-format.ts";
import { cloneJson } from "../../shared/json-schema/clone-json.ts";
import { mapStrings } from "../../shared/map-strings.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { ContentPart, ImagePart, TextPart, ToolReturn } from "../../tool/tool-result.ts";
import { capText, cleanText } from "./clean-text.ts";

/** A server's result as one of our own tools would give it: of bounded size, with nothing hidden in it. */
export function toToolReturn({ content, structuredContent, isError }: CallToolResult): ToolReturn {
  const parts = toParts(content ?? []);
  if (isError === true) throw new ToolError("tool-failed", textOf(parts));
  const data = structuredContent === undefined ? undefined : toData(structuredContent);
  const all = data?.status === "refused" ? [...parts, note(data.why)] : parts;
  const value = data?.status === "taken" ? data.value : undefined;
  if (all.length === 0) return value ?? "";
  return { content: all, ...(value !== undefined && { data: value }) };
}

const maxItems = 200;
const maxTextBytes = 4 * 1024 * 1024;
const maxDataCharacters = 4 * 1024 * 1024;
const maxImageBytes = 5 * 1024 * 1024;
const maxImagesBytes = 20 * 1024 * 1024;

function toParts(content: readonly ContentBlock[]): ContentPart[] {
  const room = { textBytes: maxTextBytes, imageBytes: maxImagesBytes };
  const parts = content.slice(0, maxItems).map((block) => takeRoom(toPart(block), room));
  if (content.length <= maxItems) return parts;
  return [...parts, note(`${content.length - maxItems} more parts were left out`)];
}

function toPart(block: ContentBlock): TextPart | ImagePart {
  switch (block.type) {
    case "text":
      return asText(block.text);
    case "image":
      return toImage(block.data);
    case "audio":
      return note("a recording was left out");
    case "resource_link":
      return asText(`[${block.name}: ${block.uri}]`);
    case "resource":
      if ("text" in block.resource) return asText(`[${block.resource.uri}]\n${block.resource.text}`);
      return note(`${cleanText(block.resource.uri)} was left out: it is no text`);
    default:
      return note("a part of an unknown kind was left out");
  }
}

/** What a server says of an image proves nothing, so its first bytes are asked. */
function toImage(data: string): TextPart | ImagePart {
  const bytes = Math.floor((data.length * 3) / 4);
  if (bytes > maxImageBytes) return note(`an image of ${bytes} bytes was left out`);
  const format = imageFormatOf(Buffer.from(data.slice(0, 128), "base64"));
  if (format === undefined || !shownFormats.has(format) || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    return note("an image was left out: it is in none of the usual formats");
  }
  return { type: "image", data, mimeType: mimeTypeOf(format) };
}

const shownFormats: ReadonlySet<string> = new Set(["png", "jpeg", "gif", "webp"]);

/** Each part alone may be small enough, and all of them together too much. */
function takeRoom(
  part: TextPart | ImagePart,
  room: { textBytes: number; imageBytes: number },
): TextPart | ImagePart {
  if (part.type === "image") {
    room.imageBytes -= part.data.length;
    return room.imageBytes < 0 ? note("an image was left out: there are too many") : part;
  }
  const text = capText(part.text, Math.max(0, room.textBytes));
  room.textBytes -= Buffer.byteLength(text);
  return { type: "text", text };
}

type TakenData = { status: "taken"; value: unknown } | { status: "refused"; why: string };

function toData(value: unknown): TakenData {
  try {
    const characters = JSON.stringify(value).length;
    if (characters > maxDataCharacters) {
      return { status: "refused", why: `data of ${characters} characters was left out` };
    }
    return { status: "taken", value: mapStrings(cloneJson(value), { text: cleanText }) };
  } catch (error) {
    const why = error instanceof RangeError ? "it is nested too deeply" : (error as Error).message;
    return { status: "refused", why: `data was left out: ${why}` };
  }
}

function asText(text: string): TextPart {
  return { type: "text", text: cleanText(text) };
}

function note(text: string): TextPart {
  return { type: "text", text: `[${text}]` };
}

function textOf(parts: readonly ContentPart[]): string {
  const texts = parts.flatMap((part) => (part.type === "text" ? part.text : []));
  return texts.join("\n").trim() || "the tool reported an error without a message";
}
