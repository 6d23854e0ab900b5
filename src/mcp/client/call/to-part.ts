import type { ContentBlock, EmbeddedResource, ResourceLink } from "@modelcontextprotocol/client";
import { imageFormatOf, mimeTypeOf } from "../../../runtime/services/files/images/image-format.ts";
import type {
  AudioPart,
  ContentPart,
  ImagePart,
  LinkPart,
  ResourcePart,
  TextPart,
} from "../../../tool/content-part.ts";
import { capText, cleanText } from "../tools/clean-text.ts";

/** One part of a server's result as one of ours; what cannot be handed on is told of in its place. */
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
      return note("a part of an unknown kind was left out");
  }
}

export function note(text: string): TextPart {
  return { type: "text", text: `[${text}]` };
}

/** What a server says of an image proves nothing, so its first bytes are asked. */
function toImage(data: string): TextPart | ImagePart {
  const bytes = countBytes(data);
  if (bytes > maxBytes) return note(`an image of ${bytes} bytes was left out`);
  const format = imageFormatOf(Buffer.from(data.slice(0, 128), "base64"));
  if (format === undefined || !shownFormats.has(format) || !isBase64(data)) {
    return note("an image was left out: it is in none of the usual formats");
  }
  return { type: "image", data, mimeType: mimeTypeOf(format) };
}

const shownFormats: ReadonlySet<string> = new Set(["png", "jpeg", "gif", "webp"]);

function toAudio(data: string, mimeType: string): TextPart | AudioPart {
  const bytes = countBytes(data);
  if (bytes > maxBytes) return note(`a recording of ${bytes} bytes was left out`);
  if (data === "" || !isBase64(data)) return note("a recording was left out: it is not in base64");
  if (!isMimeType(mimeType)) return note("a recording was left out: its kind is not told");
  return { type: "audio", data, mimeType };
}

function toResource(resource: EmbeddedResource["resource"]): TextPart | ResourcePart {
  const { uri: address, mimeType } = resource;
  const uri = cleanText(address);
  if (!isAddress(uri)) return note("a resource was left out: its address is not usable");
  const about = { type: "resource", uri, ...mimeTypeIfFit(mimeType) } as const;
  if ("text" in resource) return { ...about, text: cleanText(resource.text) };
  const { blob } = resource;
  const bytes = countBytes(blob);
  if (bytes > maxBytes) return note(`${uri} was left out: it has ${bytes} bytes`);
  return isBase64(blob) ? { ...about, blob } : note(`${uri} was left out: it is not in base64`);
}

function toLink(link: ResourceLink): TextPart | LinkPart {
  const { name, title, description, mimeType, size } = link;
  const uri = cleanText(link.uri);
  if (!isAddress(uri)) return note("a link was left out: its address is not usable");
  return {
    type: "link",
    uri,
    name: capText(cleanText(name), maxNameBytes),
    ...(title !== undefined && { title: capText(cleanText(title), maxNameBytes) }),
    ...(description !== undefined && { description: capText(cleanText(description), maxDescriptionBytes) }),
    ...mimeTypeIfFit(mimeType),
    ...(size !== undefined && { sizeBytes: size }),
  };
}

const maxBytes = 5 * 1024 * 1024;
const maxNameBytes = 500;
const maxDescriptionBytes = 2048;
const maxAddressCharacters = 8192;

/** One that was cut would lead somewhere else. */
function isAddress(uri: string): boolean {
  return uri.length > 0 && uri.length <= maxAddressCharacters && !/\s/.test(uri);
}

function mimeTypeIfFit(mimeType: string | undefined): { readonly mimeType?: string } {
  return mimeType === undefined || !isMimeType(mimeType) ? {} : { mimeType };
}

function isMimeType(text: string): boolean {
  return text.length <= 255 && /^[\w.+-]+\/[\w.+-]+(?: ?; ?[\w-]+=(?:[\w.+-]+|"[\w .,+-]*"))*$/.test(text);
}

/** Either padded to the full, or not at all; one character alone at the end is no byte. */
function isBase64(data: string): boolean {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return false;
  return data.endsWith("=") ? data.length % 4 === 0 : data.length % 4 !== 1;
}

function countBytes(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}
