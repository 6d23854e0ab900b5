import { missing, type PathState } from "../../../kernel/events/index.ts";
import { byteOrderMarks } from "../../../shared/content/byte-order-mark.ts";
import type { KnownChange, Texts } from "../../../shared/diff/changed-spans.ts";
import type { TextChange } from "../../../shared/diff/text-change.ts";
import { letOthersRun } from "../../../shared/event-loop-yield.ts";
import { isNotebookPath } from "../../../shared/notebook/parse-notebook.ts";
import type { TextFile, WrittenFile } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { decodeText } from "../encoding/decode-text.ts";
import { withLineEnding } from "../encoding/line-endings.ts";
import type { TextShape } from "../encoding/text-shape.ts";
import { encodeWindows1252 } from "../encoding/windows-1252.ts";
import { maxHeldBytes } from "../freshness-pool.ts";
import {
  asText,
  defaultMaxBytes,
  type ReadFile,
  type ReadText,
  readFile,
  readText,
} from "../read/read-text.ts";
import { diffTexts } from "../thread/text-thread.ts";
import type { FileContent } from "../tree/tree.ts";
import type { Changing } from "./changing.ts";
import { makeParents } from "./make-folder.ts";
import { staleFile, unreadFile } from "./stale-file.ts";

export interface WriteTextOptions extends Changing {
  /** False hides the old content from diffs and messages, for a file that may be written but not read. Default: true. */
  readonly mayShow?: boolean;
  /** The path as shown to the caller. */
  readonly name: string;
  readonly encoding?: string | undefined;
}

/** Creates or overwrites a file. An overwritten one keeps its mode, encoding, byte order mark and line endings. */
export async function writeText(path: string, text: string, options: WriteTextOptions): Promise<WrittenFile> {
  const existing = await options.tree.look(path);
  if (existing.kind === "missing") return create(path, { bytes: encoded(text, options) }, options);
  if (existing.kind !== "file") throw new ToolError("conflict", `${options.name} is no longer a file`);
  if (existing.sizeBytes > defaultMaxBytes)
    return overwriteUnread(path, { bytes: encoded(text, options) }, options);
  const current = await readFile(path, options);
  const wasUnread = await requireFresh(path, current, options);
  return overwrite(path, text, { ...options, current, readable: textOrNothing(current, options), wasUnread });
}

/** Reads, changes and writes a text; refuses what it cannot decode rather than write it back damaged. */
export async function updateText(
  path: string,
  change: (current: TextFile) => string | Promise<string>,
  options: WriteTextOptions,
): Promise<WrittenFile & { readonly before: TextFile }> {
  const write = await planUpdate(path, change, options);
  return write();
}

/** A new text, and where it differs from the old one, if known. */
export interface ChangedText {
  readonly text: string;
  readonly change: KnownChange | undefined;
}

/** `updateText` in two steps: nothing is written until the returned function runs. Keep the path locked in between. */
export async function planUpdate(
  path: string,
  makeChange: (current: TextFile, known: { wasUnread: boolean }) => Promise<string | ChangedText> | string,
  options: WriteTextOptions,
): Promise<() => Promise<WrittenFile & { readonly before: TextFile }>> {
  const current = await readText(path, options);
  await letOthersRun(current.bytes);
  const wasUnread = await requireFresh(path, current, options);
  const changed = await makeChange(current.file, { wasUnread });
  const { text, change } = typeof changed === "string" ? { text: changed, change: undefined } : changed;
  await letOthersRun(text);
  refuseBrokenNotebook(options.name, current.file.text, text);
  return async () => {
    const overwriting = { ...options, current, readable: current, wasUnread, change };
    const written = await overwrite(path, text, overwriting);
    return { ...written, before: current.file };
  };
}

/** Bytes, all at once or one after the other. */
export type NewContent = Extract<FileContent, { bytes: unknown } | { pieces: unknown }>;

/** Creates a file of any content, or replaces one; there is no diff. */
export async function writeContent(
  path: string,
  content: NewContent,
  options: WriteTextOptions & { readonly overwrite: boolean },
): Promise<WrittenFile> {
  const { kind } = await options.tree.look(path);
  if (kind === "missing") return create(path, content, options);
  if (options.overwrite) return overwriteUnread(path, content, options);
  throw new ToolError("already-exists", `${options.name} already exists`, {
    hint: "Choose another path, or allow overwriting.",
  });
}

function encoded(text: string, { encoding }: WriteTextOptions): Buffer {
  return encodeText(text, shapeLike(undefined, text, encoding));
}

async function create(path: string, content: NewContent, options: WriteTextOptions): Promise<WrittenFile> {
  const { tree, freshness, report, signal, name, intent } = options;
  await makeParents(path, options);
  signal.throwIfAborted();
  intent.last();
  const { state, stamp } = await tree.putFile(path, content, { expected: "" });
  const bytes = "bytes" in content ? content.bytes : undefined;
  report({ path, before: missing, after: state }, { after: bytes });
  freshness.recordWrite(path, { hash: state.hash, stamp, bytes });
  return { path: name, created: true, sizeBytes: state.sizeBytes, hash: state.hash, wasUnread: false };
}

interface Overwriting extends WriteTextOptions {
  readonly current: ReadFile;
  /** Undefined if the file is not text. */
  readonly readable: ReadText | undefined;
  readonly wasUnread: boolean;
  readonly change?: KnownChange | undefined;
}

async function overwrite(path: string, text: string, options: Overwriting): Promise<WrittenFile> {
  const { tree, freshness, report, signal, name, current, readable, wasUnread } = options;
  const shaped = shapeLike(readable?.shape, text, options.encoding);
  await letOthersRun(text);
  // Converting line endings moves offsets, so a known change then no longer applies.
  const change = shaped.text === text ? options.change : undefined;
  const parts = changedParts(shaped, { readable, change }) ?? [encodeText(shaped.text, shaped)];
  const about = { path: name, created: false, wasUnread };
  await letOthersRun(text);
  if (consistsOf(current.bytes, parts))
    return { ...about, hash: current.hash, sizeBytes: current.bytes.length };
  signal.throwIfAborted();
  let diff: string | undefined;
  const keeping = tree.keep(current);
  // Awaited in `meanwhile`; if the write fails earlier, this must not be an unhandled rejection.
  keeping.catch(() => {});
  const meanwhile = async () => {
    const [oldText, newText] = [readable?.file.text, shaped.text];
    if (oldText !== undefined) diff = await shortDiff(options.diffNameOf(path), oldText, newText, change);
    await keeping;
  };
  const { hash, mode, bytes: old } = current;
  const before: PathState = { kind: "file", hash, mode, sizeBytes: old.length };
  options.intent.last();
  const putting = { expected: current.stamp, before, meanwhile };
  const { state, stamp } = await tree.putFile(path, { parts }, putting);
  const bytes = state.sizeBytes <= maxHeldBytes ? Buffer.concat(parts) : undefined;
  report({ path, before, after: state }, { before: old, after: bytes });
  freshness.recordWrite(path, { hash: state.hash, stamp, bytes });
  return { ...about, hash: state.hash, sizeBytes: state.sizeBytes, ...(diff !== undefined && { diff }) };
}

/** Reuses the unchanged bytes of the file, which is far faster than encoding the whole text again. */
function changedParts(
  shaped: Pick<TextShape, "encoding" | "hasBom"> & { text: string },
  { readable, change }: Pick<Overwriting, "readable" | "change">,
): readonly Buffer[] | undefined {
  if (readable === undefined || change === undefined || shaped.encoding !== "utf-8") return undefined;
  const { bytes, file, shape } = readable;
  if (shape.encoding !== shaped.encoding || shape.hasBom !== shaped.hasBom) return undefined;
  return spliceBytes(bytes, change, { before: file.text, after: shaped.text });
}

function consistsOf(bytes: Buffer, parts: readonly Buffer[]): boolean {
  let from = 0;
  for (const part of parts) {
    const piece = bytes.subarray(from, from + part.length);
    const isItself = part.buffer === piece.buffer && part.byteOffset === piece.byteOffset;
    if (piece.length !== part.length || !(isItself || piece.equals(part))) return false;
    from += part.length;
  }
  return from === bytes.length;
}

/** Overwrites a file too large to read: it is saved for undo, but there is no diff and its encoding is not kept. */
async function overwriteUnread(
  path: string,
  content: NewContent,
  options: WriteTextOptions,
): Promise<WrittenFile> {
  const { tree, freshness, report, name } = options;
  const { stamp: expected } = await tree.look(path);
  const before = await tree.preserve(path);
  if (before.kind !== "file") throw new ToolError("conflict", `${name} is no longer a file`);
  const wasUnread = await requireFresh(path, { hash: before.hash, stamp: expected }, options);
  options.intent.last();
  const { state, stamp } = await tree.putFile(path, content, { expected, before });
  const bytes = "bytes" in content ? content.bytes : undefined;
  report({ path, before, after: state }, { after: bytes });
  freshness.recordWrite(path, { hash: state.hash, stamp, bytes });
  return { path: name, created: false, sizeBytes: state.sizeBytes, hash: state.hash, wasUnread };
}

/** Throws if the file changed since it was read. Returns whether it was never read. */
async function requireFresh(
  path: string,
  current: Pick<ReadFile, "hash" | "stamp"> & { bytes?: Buffer },
  { freshness, requireReadBeforeWrite, name, diffNameOf, mayShow = true }: WriteTextOptions,
): Promise<boolean> {
  const verdict = freshness.check(path, current);
  if (verdict === "fresh") return false;
  if (verdict !== "never-read") {
    const { previous } = verdict.stale;
    const shown = mayShow ? { previous, current: current.bytes } : {};
    throw await staleFile(name, { ...shown, diffName: diffNameOf(path) });
  }
  if (requireReadBeforeWrite) throw unreadFile(name);
  return true;
}

function textOrNothing(current: ReadFile, options: WriteTextOptions): ReadText | undefined {
  try {
    return asText(current, options);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Gives the new text the encoding, byte order mark and line endings of the old one, if there was one. */
function shapeLike(
  shape: TextShape | undefined,
  text: string,
  label: string | undefined,
): Pick<TextShape, "encoding" | "hasBom"> & { text: string } {
  const encoding = label === undefined && shape !== undefined ? shape.encoding : standardName(label);
  const hasBom = shape?.hasBom === true && shape.encoding === encoding && !text.startsWith("\ufeff");
  const ending = text.includes("\r") ? undefined : shape?.lineEnding;
  const isKept = ending === "crlf" || ending === "cr";
  return { encoding, hasBom, text: isKept ? withLineEnding(text, ending) : text };
}

function standardName(label: string | undefined): string {
  return label === undefined ? "utf-8" : decodeText(Buffer.alloc(0), { encoding: label }).shape.encoding;
}

const maxDiffLines = 80;

async function shortDiff(
  name: string,
  before: string,
  after: string,
  within: KnownChange | undefined,
): Promise<string> {
  return (await diffTexts(name, { before, after }, { maxLines: maxDiffLines, within })).diff;
}

/** Refuses a change to a part of a notebook's text that leaves no valid JSON where there was some. */
function refuseBrokenNotebook(name: string, before: string, after: string): void {
  if (!isNotebookPath(name)) return;
  const cause = jsonErrorOf(after);
  if (cause === undefined || jsonErrorOf(before) !== undefined) return;
  throw new ToolError("conflict", `${name} would no longer be valid JSON, so no program could open it`, {
    hint: "Change the cell instead of the JSON around it, or write the whole file.",
    cause,
  });
}

function jsonErrorOf(text: string): SyntaxError | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

/**
 * The UTF-8 bytes of a text after a change: the old bytes before it (with any byte order mark), the new ones, and the
 * old bytes after it. Undefined if the change splits a character.
 */
export function spliceBytes(
  bytes: Buffer,
  { start, end, newStart, newEnd }: TextChange,
  { before, after }: Texts,
): readonly Buffer[] | undefined {
  const inserted = after.slice(newStart, newEnd);
  if (!inserted.isWellFormed() || isInsideCharacter(before, start) || isInsideCharacter(before, end))
    return undefined;
  // Most files are ASCII, where offsets are byte positions.
  const isPlain = bytes.length === before.length;
  const tailBytes = isPlain ? before.length - end : Buffer.byteLength(before.slice(end));
  const changedBytes = isPlain ? end - start : Buffer.byteLength(before.slice(start, end));
  const tailStart = bytes.length - tailBytes;
  return [bytes.subarray(0, tailStart - changedBytes), Buffer.from(inserted), bytes.subarray(tailStart)];
}

/** Whether the offset is between the two UTF-16 halves of a character. */
function isInsideCharacter(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Encodes a text; refuses characters that the encoding lacks instead of replacing them. */
export function encodeText(
  text: string,
  { encoding, hasBom }: Pick<TextShape, "encoding" | "hasBom">,
): Buffer {
  if (!text.isWellFormed()) throw cannotHold("half a character (a lone UTF-16 surrogate)", encoding);
  const bytes = encode(text, encoding);
  const mark = hasBom ? byteOrderMarks.get(encoding) : undefined;
  return mark === undefined ? bytes : Buffer.concat([mark, bytes]);
}

function encode(text: string, encoding: string): Buffer {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  if (encoding !== "windows-1252") {
    throw new ToolError("unsupported", `text in ${encoding} can be read but not written`, {
      hint: "Convert the file to UTF-8 first.",
    });
  }
  const bytes = encodeWindows1252(text);
  if (bytes === undefined) throw cannotHold("a character that encoding lacks", encoding);
  return bytes;
}

function cannotHold(what: string, encoding: string): ToolError {
  return new ToolError("invalid-input", `the text cannot be written in ${encoding}: it contains ${what}`, {
    hint: "Remove the character, or convert the file to UTF-8 first.",
  });
}
