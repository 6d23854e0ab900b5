import type { ContentBlock, EmbeddedResource, ResourceLink } from "@modelcontextprotocol/client";
import { imageFormatOf, mimeTypeOf } from "../../../shared/content/image-format.ts";
import { defined } from "../../../shared/options/defined.ts";
import { capText, cleanText } from "../../../shared/text/clean-text.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import type {
  AudioPart,
  ContentPart,
  ImagePart,
  LinkPart,
  ResourcePart,
  TextPart,
} from "../../../tool/content-part.ts";

/** Converts one part of a server's result; a part that cannot be used becomes a note. */
export function toPart(block: ContentBlock): ContentPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: cleanText(block.text) };
    case "image":
      return toImage(block.data);
    case "audio":
      return toAudio(block.data, block.mimeType);
    case "resource":
      return toResource(block.resource);
    case "resource_link":
      return toLink(block);
    default:
      return note("part of an unknown kind left out");
  }
}

export function note(text: string): TextPart {
  return { type: "text", text: `[${text}]` };
}

/** Decides the format by the first bytes, since the server's MIME type proves nothing. */
function toImage(data: string): TextPart | ImagePart {
  const bytes = countBytes(data);
  if (bytes > maxBytes) return note(`image left out: ${countOf(bytes, "byte")} is too large`);
  const format = imageFormatOf(Buffer.from(data.slice(0, 128), "base64"));
  if (format === undefined || !shownFormats.has(format) || !isBase64(data)) {
    return note("image left out: not a valid PNG, JPEG, GIF or WebP");
  }
  return { type: "image", data, mimeType: mimeTypeOf(format) };
}

const shownFormats: ReadonlySet<string> = new Set(["png", "jpeg", "gif", "webp"]);

function toAudio(data: string, mimeType: string): TextPart | AudioPart {
  const bytes = countBytes(data);
  if (bytes > maxBytes) return note(`audio left out: ${countOf(bytes, "byte")} is too large`);
  if (data === "" || !isBase64(data)) return note("audio left out: not valid base64");
  if (!isMimeType(mimeType)) return note("audio left out: no valid MIME type");
  return { type: "audio", data, mimeType };
}

function toResource(resource: EmbeddedResource["resource"]): TextPart | ResourcePart {
  const { uri: address, mimeType } = resource;
  const uri = cleanText(address);
  if (!isAddress(uri)) return note("resource left out: invalid URI");
  const about = { type: "resource", uri, ...defined({ mimeType: fitMimeType(mimeType) }) } as const;
  if ("text" in resource) return { ...about, text: cleanText(resource.text) };
  const { blob } = resource;
  const bytes = countBytes(blob);
  if (bytes > maxBytes) return note(`${uri} left out: ${countOf(bytes, "byte")} is too large`);
  return isBase64(blob) ? { ...about, blob } : note(`${uri} left out: not valid base64`);
}

function toLink(link: ResourceLink): TextPart | LinkPart {
  const uri = cleanText(link.uri);
  if (!isAddress(uri)) return note("link left out: invalid URI");
  return { type: "link", uri, ...cleanAbout(link), ...defined({ sizeBytes: link.size }) };
}

type About = Pick<ResourceLink, "name" | "title" | "description" | "mimeType">;

/** A server's words about one of its resources or prompts, without hidden characters and of bounded size. */
export function cleanAbout({ name, title, description, mimeType }: About) {
  const about = {
    title: title && clean(title, maxNameBytes),
    description: cleanDescription(description),
    mimeType: fitMimeType(mimeType),
  };
  return { name: clean(name, maxNameBytes), ...defined(about) };
}

export function cleanDescription(description: string | undefined): string | undefined {
  return description && clean(description, maxDescriptionBytes);
}

function clean(text: string, maxBytes: number): string {
  return capText(cleanText(text), maxBytes);
}

const maxBytes = 5 * 1024 * 1024;
const maxNameBytes = 500;
const maxDescriptionBytes = 2048;
const maxAddressCharacters = 8192;

/** Long URIs are refused rather than cut: a cut one would lead somewhere else. */
export function isAddress(uri: string): boolean {
  return uri.length > 0 && uri.length <= maxAddressCharacters && !/\s/.test(uri);
}

function fitMimeType(mimeType: string | undefined): string | undefined {
  return mimeType !== undefined && isMimeType(mimeType) ? mimeType : undefined;
}

function isMimeType(text: string): boolean {
  return text.length <= 255 && /^[\w.+-]+\/[\w.+-]+(?: ?; ?[\w-]+=(?:[\w.+-]+|"[\w .,+-]*"))*$/.test(text);
}

/** Padding must be complete or absent, and a single character at the end encodes no byte. */
function isBase64(data: string): boolean {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return false;
  return data.endsWith("=") ? data.length % 4 === 0 : data.length % 4 !== 1;
}

function countBytes(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}
