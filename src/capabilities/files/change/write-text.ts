import { missing, type PathState } from "../../../kernel/events/index.ts";
import type { KnownChange, Texts } from "../../../shared/diff/changed-spans.ts";
import type { DiffPreview } from "../../../shared/diff/format-spans.ts";
import type { TextChange } from "../../../shared/diff/text-change.ts";
import { letOthersRun } from "../../../shared/event-loop-yield.ts";
import { isNotebookPath } from "../../../shared/notebook/parse-notebook.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { TextFile, WrittenFile } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { encodeText, shapeLike } from "../encoding/encode-text.ts";
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
import { ifPossible } from "../tree/if-possible.ts";
import type { FileContent } from "../tree/tree.ts";
import type { Changing } from "./changing.ts";
import { makeParents } from "./make-folder.ts";
import { staleFile, unreadFile } from "./stale-file.ts";

export interface WriteTextOptions extends Changing {
  /** False hides the old content from diffs and messages, for a file that may be written but not read. Default: true. */
  readonly mayShow?: boolean;
  readonly encoding?: string | undefined;
}

/** Creates or overwrites a file. An overwritten one keeps its mode, encoding, byte order mark and line endings. */
export async function writeText(path: string, text: string, options: WriteTextOptions): Promise<WrittenFile> {
  const { kind, sizeBytes } = await options.tree.look(path);
  if (kind === "missing") return create(path, { bytes: encoded(text, options) }, options);
  if (kind !== "file") throw noLongerFile(path, options);
  if (sizeBytes > defaultMaxBytes) return overwriteUnread(path, { bytes: encoded(text, options) }, options);
  const current = await readFile(path, options);
  const wasUnread = await requireFresh(path, current, options);
  const readable = await ifPossible(() => asText(path, current, options));
  return overwrite(path, text, { ...options, current, readable, wasUnread });
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
interface ChangedText {
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
  refuseBrokenNotebook(current.file, text);
  return async () => ({
    ...(await overwrite(path, text, { ...options, current, readable: current, wasUnread, change })),
    before: current.file,
  });
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
  throw new ToolError("already-exists", `${options.nameOf(path)} already exists`, {
    hint: "Choose another path, or allow overwriting.",
  });
}

function encoded(text: string, { encoding }: WriteTextOptions): Buffer {
  return encodeText(text, shapeLike(undefined, text, encoding));
}

async function create(path: string, content: NewContent, options: WriteTextOptions): Promise<WrittenFile> {
  await makeParents(path, options);
  options.signal.throwIfAborted();
  return put(path, content, { ...options, expected: "", before: missing, wasUnread: false });
}

interface Putting extends WriteTextOptions {
  readonly expected: string;
  /** The replaced entry. */
  readonly before: PathState;
  readonly oldBytes?: Buffer;
  readonly wasUnread: boolean;
  /** Runs while the new content is flushed; gives the diff. */
  readonly meanwhile?: () => Promise<DiffPreview | undefined>;
}

/** Puts new content at a path in one step, reports it, and remembers that the session knows it. */
async function put(path: string, content: FileContent, options: Putting): Promise<WrittenFile> {
  const { tree, intent, freshness, report, expected, before, oldBytes, wasUnread } = options;
  let preview: DiffPreview | undefined;
  const meanwhile = async () => {
    preview = await options.meanwhile?.();
  };
  intent.last();
  const { state, stamp } = await tree.putFile(path, content, { expected, before, meanwhile });
  const { hash, sizeBytes } = state;
  const bytes = bytesOf(content, sizeBytes);
  const diff = preview?.diff;
  // A diff that was cut is not the diff of the change.
  const wholeDiff = preview?.omittedLines === 0 ? diff : undefined;
  report({ path, before, after: state }, { before: oldBytes, after: bytes, diff: wholeDiff });
  freshness.record(path, { hash, stamp, bytes });
  const about = { path: options.nameOf(path), created: before.kind === "missing" };
  return { ...about, sizeBytes, hash, wasUnread, ...defined({ diff }) };
}

function bytesOf(content: FileContent, sizeBytes: number): Buffer | undefined {
  if ("bytes" in content) return content.bytes;
  return "parts" in content && sizeBytes <= maxHeldBytes ? Buffer.concat(content.parts) : undefined;
}

interface Overwriting extends WriteTextOptions {
  readonly current: ReadFile;
  /** Undefined if the file is not text. */
  readonly readable: ReadText | undefined;
  readonly wasUnread: boolean;
  readonly change?: KnownChange | undefined;
}

async function overwrite(path: string, text: string, options: Overwriting): Promise<WrittenFile> {
  const { tree, signal, current, readable, wasUnread } = options;
  const { hash, mode, bytes: oldBytes, stamp: expected } = current;
  const shaped = shapeLike(readable?.shape, text, options.encoding);
  await letOthersRun(text);
  // Converting line endings moves offsets, so a known change then no longer applies.
  const change = shaped.text === text ? options.change : undefined;
  const parts = changedParts(shaped, { readable, change }) ?? [encodeText(shaped.text, shaped)];
  await letOthersRun(text);
  const before = { kind: "file", hash, mode, sizeBytes: oldBytes.length } as const;
  if (consistsOf(oldBytes, parts))
    return { path: options.nameOf(path), created: false, wasUnread, hash, sizeBytes: before.sizeBytes };
  signal.throwIfAborted();
  const keeping = tree.keep(current);
  // Awaited in `meanwhile`; if the write fails earlier, this must not be an unhandled rejection.
  keeping.catch(() => {});
  const meanwhile = async () => {
    const texts = readable && { before: readable.file.text, after: shaped.text };
    const limits = { maxLines: maxDiffLines, within: change };
    const preview = texts && (await diffTexts(options.diffNameOf(path), texts, limits));
    await keeping;
    return preview;
  };
  return put(path, { parts }, { ...options, expected, before, oldBytes, meanwhile });
}

const maxDiffLines = 80;

/** Reuses the unchanged bytes of the file, which is far faster than encoding the whole text again. */
function changedParts(
  shaped: ReturnType<typeof shapeLike>,
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
  const { stamp: expected } = await options.tree.look(path);
  const before = await options.tree.preserve(path);
  if (before.kind !== "file") throw noLongerFile(path, options);
  const wasUnread = await requireFresh(path, { hash: before.hash, stamp: expected }, options);
  return put(path, content, { ...options, expected, before, wasUnread });
}

function noLongerFile(path: string, { nameOf }: Changing): ToolError {
  return new ToolError("conflict", `${nameOf(path)} is no longer a file`);
}

/** Throws if the file changed since it was read. Returns whether it was never read. */
async function requireFresh(
  path: string,
  current: Pick<ReadFile, "hash" | "stamp"> & { bytes?: Buffer },
  { freshness, requireReadBeforeWrite, nameOf, diffNameOf, mayShow = true }: WriteTextOptions,
): Promise<boolean> {
  const verdict = freshness.check(path, current);
  if (verdict === "fresh") return false;
  if (verdict !== "never-read") {
    const { previous } = verdict.stale;
    const shown = mayShow ? { previous, current: current.bytes } : {};
    throw await staleFile(nameOf(path), { ...shown, diffName: diffNameOf(path) });
  }
  if (requireReadBeforeWrite) throw unreadFile(nameOf(path));
  return true;
}

/** Refuses a change to a part of a notebook's text that leaves no valid JSON where there was some. */
function refuseBrokenNotebook({ path: name, text: before }: TextFile, after: string): void {
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
