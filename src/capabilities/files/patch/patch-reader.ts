import { ToolError } from "../../../tool/tool-error.ts";

const beginMark = "*** Begin Patch";
const endMark = "*** End Patch";

/** Reads the lines between the begin and end marks, and tracks the position. */
export interface PatchReader {
  begin(): void;
  isAtEnd(): boolean;
  peek(): string;
  next(): string;
  /** 1-based number of the next line. */
  lineNumber(): number;
  problem(message: string, line?: number): ToolError;
}

export function createPatchReader(lines: readonly string[]): PatchReader {
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
