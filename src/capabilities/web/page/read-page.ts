import { isUtf8 } from "node:buffer";
import { prepareImage } from "../../../machine/images/prepare-image.ts";
import { byteOrderMarks } from "../../../shared/content/byte-order-mark.ts";
import { classifyContent } from "../../../shared/content/classify-content.ts";
import { imageFormatOf } from "../../../shared/content/image-format.ts";
import { succeeds } from "../../../shared/maybe-promise.ts";
import { cleanText } from "../../../shared/text/clean-text.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { convertInThread } from "./page-thread.ts";

export interface PageSource {
  readonly body: Uint8Array;
  /** The header of the response. */
  readonly contentType: string | undefined;
  /** Where the body came from, after redirects: links are resolved against it. */
  readonly url: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Page {
  readonly kind: "markdown" | "text" | "json" | "image" | "binary";
  readonly title?: string;
  /** What a model reads. Starts with the title, if there is one; of an image or binary data, a description. */
  readonly text: string;
  /** In base64. */
  readonly image?: { readonly data: string; readonly mediaType: string };
  /** The text cut at paragraphs, for `rankBlocks`; the title is not one of them. */
  readonly blocks: readonly string[];
}

/** Turns what a server sent into something that a model can read. Never runs or renders any of it. */
export async function readPage({ body, contentType, url, signal }: PageSource): Promise<Page> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const type = parseMediaType(contentType);
  if (imageFormatOf(bytes) !== undefined) return readImage(bytes, type);
  const { name: format } = classifyBytes(bytes);
  if (format === "PDF document") return readPdf(bytes, { url, signal });
  const text = decodePage(bytes, type);
  if (text === undefined) return describeBinary(bytes, type);
  if (isHtml(type, text)) {
    const { title, markdown } = await convertHtml({ html: text, url, signal });
    return textPage("markdown", { title, text: cleanText(markdown) });
  }
  if (type.isJson) return textPage("json", { text: cleanText(formatJson(text)) });
  return textPage("text", { text: cleanText(text) });
}

/** A short page is converted here: that takes less time than starting a thread. */
function convertHtml({ html, url, signal }: { html: string; url: string; signal: AbortSignal | undefined }) {
  if (html.length <= maxLengthHere) return htmlToMarkdown({ html, url });
  return convertInThread({ kind: "html", html, url }, { signal });
}

/** A page of this length takes about 20 ms, and at worst 100 ms, however hostile it is. */
const maxLengthHere = 32_768;

function textPage(kind: Page["kind"], { title, text }: { title?: string | undefined; text: string }): Page {
  const heading = title === undefined ? "" : cleanText(title).replace(/\s+/g, " ").trim();
  const body = text.trim();
  const blocks = splitBlocks(body);
  if (heading === "") return { kind, text: body, blocks };
  return { kind, title: heading, text: body === "" ? heading : `${heading}\n\n${body}`, blocks };
}

async function readImage(bytes: Buffer, type: MediaType): Promise<Page> {
  try {
    const { data, mimeType, width, height, notes } = await prepareImage(bytes);
    const text = [`${mimeType}, ${width}x${height} pixels`, ...notes].join(", ");
    return { kind: "image", text, image: { data, mediaType: mimeType }, blocks: [] };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return describeBinary(bytes, type, error.message);
  }
}

async function readPdf(
  bytes: Buffer,
  { url, signal }: { url: string; signal: AbortSignal | undefined },
): Promise<Page> {
  try {
    const { title, markdown } = await convertInThread({ kind: "pdf", bytes, url }, { signal });
    if (markdown.trim() !== "") return textPage("text", { title, text: cleanText(markdown) });
    return describeBinary(bytes, pdfType, "it holds no text, perhaps only scanned pages");
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === "cancelled") throw error;
    return describeBinary(bytes, pdfType, error.message);
  }
}

const pdfType: MediaType = { name: "application/pdf", charset: undefined, isText: false, isJson: false };

function describeBinary(bytes: Buffer, type: MediaType, reason?: string): Page {
  const { name, mediaType } = classifyBytes(bytes);
  const label = mediaType ?? (type.name === "" ? "application/octet-stream" : type.name);
  const what = name === undefined ? label : `${name} (${label})`;
  const size = countOf(bytes.length, "byte");
  const text = reason === undefined ? `${what}, ${size}` : `${what}, ${size}: ${reason}`;
  return { kind: "binary", text, blocks: [] };
}

function classifyBytes(bytes: Buffer): { name?: string | undefined; mediaType?: string } {
  const content = classifyContent(bytes.subarray(0, 512));
  if (content.kind === "text" || content.format === undefined) return {};
  return { name: content.format.name, mediaType: content.mediaType };
}

/** A page without a type, or one that some servers send as plain text, is recognised by how it starts. */
function isHtml({ name }: MediaType, text: string): boolean {
  if (name === "text/html" || name === "application/xhtml+xml") return true;
  return name === "" && /^\s{0,1000}(?:<!doctype html|<html[\s>])/i.test(text);
}

/**
 * Cuts Markdown or plain text into paragraphs, lists, tables and code blocks. A heading stays with the next block, and
 * a very long block is cut at the end of a line.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let length = 0;
  let hasContent = false;
  let fence = "";
  const flush = () => {
    const block = lines.join("\n").trim();
    if (block !== "") blocks.push(block);
    lines = [];
    length = 0;
    hasContent = false;
  };
  for (const line of text.split("\n")) {
    const isBeside = isHeadingOrBlank(line);
    if ((fence === "" && isBeside && hasContent) || length > maxBlockLength) flush();
    lines.push(line);
    length += line.length + 1;
    hasContent ||= !isBeside;
    fence = nextFence(fence, line);
  }
  flush();
  return blocks;
}

const maxBlockLength = 2000;

function isHeadingOrBlank(line: string): boolean {
  return line.trim() === "" || /^#{1,6} /.test(line);
}

/** A code block ends with a fence at least as long as the one that it starts with. */
function nextFence(fence: string, line: string): string {
  const [, found = "", rest = ""] = /^\s{0,40}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  if (fence === "") return found;
  const closes = found.startsWith(fence) && rest.trim() === "";
  return closes ? "" : fence;
}

/**
 * Indents JSON without changing any value: parsing and printing it again would round long numbers and drop repeated
 * keys. Text that is not JSON, or is nested very deeply, stays as it is.
 */
function formatJson(text: string): string {
  if (!succeeds(() => JSON.parse(text))) return text;
  const pieces: string[] = [];
  let depth = 0;
  let isOpening = false;
  for (const [token] of text.matchAll(tokens)) {
    const isClosing = token === "}" || token === "]";
    if (isClosing) depth -= 1;
    // An empty object or list stays on one line.
    if (isOpening !== isClosing) pieces.push(lineBreak(depth));
    isOpening = token === "{" || token === "[";
    if (isOpening) depth += 1;
    if (depth > maxDepth) return text;
    pieces.push(token === ":" ? ": " : token);
    if (token === ",") pieces.push(lineBreak(depth));
  }
  return pieces.join("");
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** Each level adds two blanks to every line below it. */
const maxDepth = 64;

function lineBreak(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}

/**
 * Decodes a body as browsers do: a byte order mark counts first, then the header, then the encoding that the page names,
 * then UTF-8, then windows-1252. Undefined if the body is not text.
 */
function decodePage(bytes: Buffer, type: MediaType): string | undefined {
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

interface MediaType {
  /** In lower case, without parameters; empty if the server named none. */
  readonly name: string;
  readonly charset: string | undefined;
  /** Whether the type promises text. */
  readonly isText: boolean;
  readonly isJson: boolean;
}

/** Reads a `Content-Type` header. A part that makes no sense counts as missing. */
function parseMediaType(header: string | undefined): MediaType {
  const [, name = ""] = /^\s{0,20}([\w.+-]{1,100}\/[\w.+-]{1,100})\s{0,20}(?:;|$)/.exec(header ?? "") ?? [];
  const [, charset] = /;\s{0,20}charset\s{0,20}=\s{0,20}"?([\w.:+-]{1,40})/i.exec(header ?? "") ?? [];
  const type = name.toLowerCase();
  const isJson = /^(?:application|text)\/(?:json|[\w.-]+\+json)$/.test(type);
  return { name: type, charset, isText: isJson || textTypes.test(type), isJson };
}

const textTypes =
  /^(?:text\/.+|.+\+xml|application\/(?:xml|xhtml|javascript|ecmascript|typescript|yaml|x-yaml|toml|sql|graphql|x-sh|x-ndjson|jsonl|rtf|x-www-form-urlencoded))$/;
