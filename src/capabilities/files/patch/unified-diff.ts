import { ToolError } from "../../../tool/tool-error.ts";
import { parsePatchLine } from "./parse-patch-line.ts";
import type { PatchChunk, PatchedChange, PatchLine } from "./patched-change.ts";

/** Whether a patch is written as `diff -u` and git write it. */
export function isUnifiedDiff(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return (
    /^(?:diff --git |--- |Index: )/.test(first) &&
    lines.some((line) => line.startsWith("+++ ") || renameTo.test(line))
  );
}

/** Line numbers are ignored: models seldom get them right. */
export function parseUnifiedDiff(lines: readonly string[]): PatchedChange[] {
  const changes: PatchedChange[] = [];
  let index = 0;
  while (index < lines.length) {
    if (!isFileStart(lines, index)) {
      if (lines[index]!.trim() !== "") throw problem("a file's header is expected here", index);
      index++;
      continue;
    }
    const header = readHeader(lines, index);
    const { chunks, next } = readHunks(lines, header.next);
    changes.push(toChange(header, chunks, index));
    index = next;
  }
  return changes;
}

const renameFrom = /^rename from (.+)$/;
const renameTo = /^rename to (.+)$/;

type FileHeader = ReturnType<typeof readHeader>;

function isFileStart(lines: readonly string[], index: number): boolean {
  const line = lines[index]!;
  return (
    /^diff --git |^Index: /.test(line) ||
    (line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ ") === true)
  );
}

function readHeader(lines: readonly string[], start: number) {
  let oldPath: string | undefined;
  let newPath: string | undefined;
  let next = start;
  for (; next < lines.length && !lines[next]!.startsWith("@@"); next++) {
    const line = lines[next]!;
    if (next > start && /^diff --git |^Index: /.test(line)) break;
    if (line.startsWith("--- ")) oldPath = pathIn(line.slice(4));
    else if (line.startsWith("+++ ")) newPath = pathIn(line.slice(4));
    else {
      oldPath ??= renameFrom.exec(line)?.[1];
      newPath ??= renameTo.exec(line)?.[1];
      if (newPath !== undefined && oldPath !== undefined && line.trim() === "") break;
    }
  }
  const isPrefixed = hasPrefixes(oldPath, newPath);
  const pathOf = (path: string | undefined) =>
    path === undefined || path === nothing ? undefined : path.replace(isPrefixed ? gitPrefix : /^/, "");
  return {
    oldPath: pathOf(oldPath),
    newPath: pathOf(newPath),
    isNew: oldPath === nothing,
    isDeleted: newPath === nothing,
    isRenamed: lines.slice(start, next).some((line) => renameTo.test(line)),
    /** Where the hunks begin. */
    next,
  };
}

const nothing = "/dev/null";
const gitPrefix = /^[abciow]\//;

/** Whether both paths have git's prefixes, which differ; otherwise `a/` is a folder. */
function hasPrefixes(oldPath: string | undefined, newPath: string | undefined): boolean {
  const prefixes = [oldPath, newPath].map((path) =>
    path === nothing ? nothing : gitPrefix.exec(path ?? "")?.[0],
  );
  return prefixes.every((prefix) => prefix !== undefined) && prefixes[0] !== prefixes[1];
}

/** Without the timestamp that may follow. */
function pathIn(text: string): string {
  return text.split("\t", 1)[0]!.trim();
}

function readHunks(lines: readonly string[], start: number): { chunks: PatchChunk[]; next: number } {
  const chunks: PatchChunk[] = [];
  let index = start;
  while (index < lines.length && lines[index]!.startsWith("@@")) {
    const [, heading = ""] = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/.exec(lines[index]!) ?? [];
    const line = index + 1;
    const hunk: PatchLine[] = [];
    for (
      index++;
      index < lines.length && !lines[index]!.startsWith("@@") && !isFileStart(lines, index);
      index++
    ) {
      const text = lines[index]!;
      if (text.startsWith("\\")) continue;
      hunk.push(parsePatchLine(text));
    }
    while (hunk.at(-1)?.kind === "keep" && hunk.at(-1)?.text === "" && index >= lines.length) hunk.pop();
    if (hunk.length === 0) throw problem("the hunk has no lines", line - 1);
    chunks.push({ contexts: heading.trim() === "" ? [] : [heading], lines: hunk, isEndOfFile: false, line });
  }
  return { chunks, next: index };
}

function toChange(
  { oldPath, newPath, isNew, isDeleted, isRenamed }: FileHeader,
  chunks: readonly PatchChunk[],
  index: number,
): PatchedChange {
  const path = oldPath ?? newPath;
  if (path === undefined) throw problem("the path is missing", index);
  if (isNew) {
    const text = chunks.flatMap(({ lines }) => lines.map((line) => `${line.text}\n`)).join("");
    return { kind: "add", path, text };
  }
  if (isDeleted) return { kind: "delete", path, chunks: chunks.length > 0 ? chunks : undefined };
  const moveTo = newPath === undefined || newPath === path ? undefined : newPath;
  if (moveTo !== undefined && !isRenamed) {
    throw problem(
      `${path} and ${moveTo} are two files, and no "rename to" says that one becomes the other`,
      index,
    );
  }
  if (chunks.length === 0 && moveTo === undefined)
    throw problem(`the diff of ${path} changes nothing`, index);
  return { kind: "update", path, moveTo, chunks };
}

function problem(message: string, index: number): ToolError {
  return new ToolError("invalid-input", `line ${index + 1} of the patch: ${message}`, {
    hint: 'A diff has "--- a/<path>" and "+++ b/<path>" for each file, and hunks that begin with "@@".',
  });
}
