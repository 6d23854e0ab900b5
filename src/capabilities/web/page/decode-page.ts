import { isUtf8 } from "node:buffer";
import { byteOrderMarks } from "../../../shared/content/byte-order-mark.ts";

/**
 * Decodes a body as browsers do: a byte order mark counts first, then the header, then the encoding that the page names,
 * then UTF-8, then windows-1252. Undefined if the body is not text.
 */
export function decodePage(bytes: Buffer, type: MediaType): string | undefined {
  const marked = [...byteOrderMarks].find(([, mark]) => bytes.subarray(0, mark.length).equals(mark));
  const named = marked?.[0] ?? findDecoder(type.charset) ?? findDecoder(declaredCharset(bytes));
  if (isBinary(bytes, type, named)) return undefined;
  const encoding = named ?? (isUtf8(bytes) ? "utf-8" : "windows-1252");
  // Bytes that are invalid in the named encoding become U+FFFD: one of them must not cost the whole page.
  return new TextDecoder(encoding).decode(bytes);
}

function isBinary(bytes: Buffer, type: MediaType, encoding: string | undefined): boolean {
  if (/^(?:image|audio|video|font)\/(?!svg)/.test(type.name)) return true;
  if (encoding?.startsWith("utf-16")) return false;
  if (bytes.subarray(0, headBytes).includes(0)) return true;
  return !type.isText && type.name !== "" && !isUtf8(bytes);
}

const headBytes = 1024;

/** The standard name of an encoding that this runtime can decode. */
function findDecoder(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The encoding named at the start of an HTML page or an XML document. UTF-16 there is a mistake: the label was read as ASCII. */
function declaredCharset(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, headBytes);
  const [, label] =
    /<meta\s[^>]{0,200}?charset\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:+-]{1,40})/i.exec(head) ??
    /^\s{0,20}<\?xml\s[^>]{0,100}?encoding\s{0,20}=\s{0,20}["']([\w.:+-]{1,40})/i.exec(head) ??
    [];
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}

export interface MediaType {
  /** In lower case, without parameters; empty if the server named none. */
  readonly name: string;
  readonly charset: string | undefined;
  /** Whether the type promises text. */
  readonly isText: boolean;
  readonly isJson: boolean;
}

/** Reads a `Content-Type` header. What makes no sense counts as missing. */
export function parseMediaType(header: string | undefined): MediaType {
  const [, name = ""] = /^\s{0,20}([\w.+-]{1,100}\/[\w.+-]{1,100})\s{0,20}(?:;|$)/.exec(header ?? "") ?? [];
  const [, charset] = /;\s{0,20}charset\s{0,20}=\s{0,20}"?([\w.:+-]{1,40})/i.exec(header ?? "") ?? [];
  const type = name.toLowerCase();
  const isJson = /^(?:application|text)\/(?:json|[\w.-]+\+json)$/.test(type);
  return { name: type, charset, isText: isJson || textTypes.test(type), isJson };
}

const textTypes =
  /^(?:text\/.+|.+\+xml|application\/(?:xml|xhtml|javascript|ecmascript|typescript|yaml|x-yaml|toml|sql|graphql|x-sh|x-ndjson|jsonl|rtf|x-www-form-urlencoded))$/;
