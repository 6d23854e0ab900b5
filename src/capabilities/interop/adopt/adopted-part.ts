import { isPlainObject } from "../../../shared/json.ts";
import type { ContentPart } from "../../../tool/tool-result.ts";

/** A part of a result in the words of other frameworks: a text, an image as base64 or as a data URL, or anything else. */
export function toAdoptedPart(part: unknown): ContentPart {
  if (typeof part === "string") return { type: "text", text: part };
  if (!isPlainObject(part)) return { type: "structured", data: part };
  const { text, type } = part;
  if (typeof text === "string" && (type === "text" || type === undefined)) return { type: "text", text };
  return imageOf(part) ?? { type: "structured", data: part };
}

function imageOf(part: Record<string, unknown>): ContentPart | undefined {
  const { data, url, image, image_url: linked } = part;
  const inside = isPlainObject(linked) ? linked.url : (linked ?? url ?? image ?? data);
  const [, fromUrl, base64] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(String(inside)) ?? [];
  if (fromUrl !== undefined) return { type: "image", data: base64!, mimeType: fromUrl };
  const plain = isPlainObject(data) ? data.data : data;
  const mimeType = [part.mediaType, part.mimeType, part.mime_type].find((each) => typeof each === "string");
  if (typeof plain !== "string" || mimeType === undefined || !mimeType.startsWith("image/")) return undefined;
  return { type: "image", data: plain, mimeType };
}
