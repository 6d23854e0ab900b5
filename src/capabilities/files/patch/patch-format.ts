import { ToolError } from "../../../tool/tool-error.ts";
import { parsePatchLine } from "./parse-patch-line.ts";
import type { PatchChunk, PatchedChange, PatchLine } from "./patched-change.ts";
import { isUnifiedDiff, parseUnifiedDiff } from "./unified-diff.ts";

/**
 * Parses a unified diff, or the patch format that some models are trained to write:
 * `*** Begin Patch`, then `*** Add File:`, `*** Update File:` or `*** Delete File:` with their lines, `*** End Patch`.
 */
export function parsePatch(text: string): PatchedChange[] {
  const lines = linesOfPatch(text);
  return isUnifiedDiff(lines) ? parseUnifiedDiff(lines) : parseMarked(lines);
}

/** Blanks out the fence of a Markdown block around the patch; line numbers stay the same. */
function linesOfPatch(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const isFenced = /^\s*```[\w-]*\s*$/.test(lines[first] ?? "") && /^\s*```\s*$/.test(lines[last] ?? "");
  return isFenced && last > first ? lines.with(first, "").with(last, "") : lines;
}

function parseMarked(lines: readonly string[]): PatchedChange[] {
  const reader = createPatchReader(lines);
  const changes: PatchedChange[] = [];
  reader.begin();
  while (skipEmptyLines(reader)) changes.push(readFileChange(reader));
  if (changes.length === 0) throw reader.problem("the patch does not change any file");
  return changes;
}

/** Returns whether anything comes after the empty lines. */
function skipEmptyLines(reader: PatchReader): boolean {
  while (!reader.isAtEnd() && reader.peek().trim() === "") reader.next();
  return !reader.isAtEnd();
}

function readFileChange(reader: PatchReader): PatchedChange {
  const line = reader.lineNumber();
  const { kind, path } = readHeader(reader);
  if (path === "") throw reader.problem("the path is missing", line);
  if (kind === "Delete") return { kind: "delete", path };
  if (kind === "Add") return { kind: "add", path, text: readAddedText(reader) };
  const moveTo = readMove(reader);
  const chunks = readChunks(reader);
  if (chunks.length === 0 && moveTo === undefined) {
    throw reader.problem(`the update of ${path} changes nothing`, line);
  }
  return { kind: "update", path, moveTo, chunks };
}

function readHeader(reader: PatchReader): { kind: string; path: string } {
  const [, kind, path] = fileHeader.exec(reader.peek()) ?? [];
  if (kind === undefined || path === undefined) {
    throw reader.problem(`expected a file header, found ${JSON.stringify(reader.peek().slice(0, 80))}`);
  }
  reader.next();
  return { kind, path: path.trim() };
}

const fileHeader = /^\*\*\* (Add|Update|Delete) File:(.*)$/;

/** Whether the next line is another file's header, or the end. */
function isFileEnd(reader: PatchReader): boolean {
  return reader.isAtEnd() || fileHeader.test(reader.peek());
}

function readAddedText(reader: PatchReader): string {
  const lines: string[] = [];
  while (!isFileEnd(reader) && reader.peek() !== "") {
    if (!reader.peek().startsWith("+"))
      throw reader.problem('each line of an added file must start with "+"');
    lines.push(`${reader.next().slice(1)}\n`);
  }
  return lines.join("");
}

function readMove(reader: PatchReader): string | undefined {
  const [, path] = isFileEnd(reader) ? [] : (/^\*\*\* Move to:(.*)$/.exec(reader.peek()) ?? []);
  if (path === undefined) return undefined;
  if (path.trim() === "") throw reader.problem("the path is missing");
  reader.next();
  return path.trim();
}

function readChunks(reader: PatchReader): PatchChunk[] {
  const chunks: PatchChunk[] = [];
  while (!isFileEnd(reader)) {
    // Empty lines between chunks are separators; inside a chunk they are empty lines of the file.
    if (chunks.length > 0 && reader.peek().trim() === "") reader.next();
    else chunks.push(readChunk(reader, chunks.length === 0));
  }
  return chunks;
}

const endOfFileMark = "*** End of File";

function readChunk(reader: PatchReader, isFirst: boolean): PatchChunk {
  const line = reader.lineNumber();
  const contexts = readContexts(reader);
  if (contexts === undefined && !isFirst) throw reader.problem('expected "@@" before the next chunk');
  const lines: PatchLine[] = [];
  while (!isFileEnd(reader) && !/^@@|^\*\*\*/.test(reader.peek())) lines.push(parsePatchLine(reader.next()));
  const isEndOfFile = !isFileEnd(reader) && reader.peek().trimEnd() === endOfFileMark;
  if (isEndOfFile) reader.next();
  else if (!isFileEnd(reader) && !reader.peek().startsWith("@@")) {
    throw reader.problem(`unexpected ${JSON.stringify(reader.peek().slice(0, 80))}`);
  }
  if (lines.length === 0) throw reader.problem("the chunk has no lines", line);
  return { contexts: contexts ?? [], lines, isEndOfFile, line };
}

/** A bare `@@` names no line; several `@@` lines in a row narrow the place down. */
function readContexts(reader: PatchReader): string[] | undefined {
  if (!reader.peek().startsWith("@@")) return undefined;
  const contexts: string[] = [];
  while (!isFileEnd(reader) && reader.peek().startsWith("@@")) {
    const context = reader.next().slice(2).replace(/^ /, "");
    const isPosition = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(context);
    // Line numbers, as in unified diffs, are seldom right, so the chunk's lines alone decide.
    if (context.trim() !== "" && !isPosition) contexts.push(context);
  }
  return contexts;
}

const beginMark = "*** Begin Patch";
const endMark = "*** End Patch";

type PatchReader = ReturnType<typeof createPatchReader>;

/** Reads the lines between the begin and end marks, and tracks the position. */
function createPatchReader(lines: readonly string[]) {
  let position = 0;
  let end = 0;
  const problem = (message: string, line = Math.min(position + 1, lines.length)) =>
    new ToolError("invalid-input", `line ${line} of the patch: ${message}`, {
      hint: `A patch starts with "${beginMark}" and ends with "${endMark}". Between them, each file starts with "*** Add File: <path>", "*** Update File: <path>" or "*** Delete File: <path>".`,
    });
  const begin = () => {
    // Only empty lines and a shell's here-document may surround the patch.
    const first = lines.findIndex((line) => line.trim() !== "" && !hereDocument.test(line));
    position = Math.max(0, first);
    if (lines[position]?.trim() !== beginMark) throw problem(`expected "${beginMark}"`);
    position++;
    end = lines.findIndex((line, index) => index >= position && line.trimEnd() === endMark);
    // An indented mark could be a context line, but not if it is the very last line.
    if (end === -1 && lines[lastFilledLine(lines) - 1]?.trim() === endMark) end = lastFilledLine(lines) - 1;
    if (end === -1) throw problem(`"${endMark}" is missing after this line`, lastFilledLine(lines));
    const delimiter = findDelimiter(lines.slice(0, first));
    const after = lines.findIndex(
      (line, index) => index > end && line.trim() !== "" && line.trim() !== delimiter,
    );
    if (after !== -1) throw problem(`nothing may follow "${endMark}"`, after + 1);
  };
  return {
    begin,
    problem,
    isAtEnd: () => position >= end,
    peek: () => lines[position] ?? "",
    next: () => lines[position++] ?? "",
    /** 1-based number of the next line. */
    lineNumber: () => position + 1,
  };
}

const hereDocument = /^\s*(?:(?:apply_patch|cat)\s+)?<<-?\s*["']?(?<delimiter>\w+)["']?\s*$/;

function findDelimiter(lines: readonly string[]): string | undefined {
  const opening = lines.find((line) => hereDocument.test(line)) ?? "";
  return hereDocument.exec(opening)?.groups?.delimiter;
}

function lastFilledLine(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.trim() !== "") + 1;
}
