import { splitLines } from "../encoding/line-endings.ts";
import type { TextRange } from "../patch/search-lines.ts";

/** The edit without leading and trailing blank lines; undefined if there are none, or nothing else. */
export function withoutBlankEdges({ oldText, newText }: { oldText: string; newText: string }) {
  const old = splitLines(oldText);
  const [before, after] = [countBlank(old), countBlank(old.toReversed())];
  if (before + after === 0 || before === old.length) return undefined;
  const next = splitLines(newText);
  const nextLines = new Set(next.map((line) => line.trim()).filter((line) => line !== ""));
  const isEmpty = next.every((line) => line.trim() === "");
  const nextBefore = isEmpty ? 0 : Math.min(before, countBlank(next));
  const nextAfter = isEmpty ? 0 : Math.min(after, countBlank(next.toReversed()));
  return {
    oldText: old.slice(before, old.length - after).join("\n"),
    newText: next.slice(nextBefore, next.length - nextAfter).join("\n"),
    /** Whether the edit can mean this match: the file must not have a blank line where one was dropped. */
    isAt: (text: string, { start, end }: TextRange): boolean =>
      isWholeLines(text, start, end) &&
      // If the new text has the file's next line, the old text left that line out, and it would be duplicated.
      !nextLines.has(lineBefore(text, start)) &&
      !nextLines.has(lineAfter(text, end)) &&
      !(before > 0 && blankBefore.test(text.slice(0, start).slice(-maxLookedAt))) &&
      // The first "blank line" is only the end of the last line.
      !(after > 1 && blankAfter.test(text.slice(end, end + maxLookedAt))),
  };
}

const maxLookedAt = 1_000;
const blankBefore = /(?:^|\n|\r)[ \t]*(?:\r\n?|\n)$/;
const blankAfter = /^(?:\r\n?|\n)[ \t]*(?:\r|\n|$)/;

function countBlank(lines: readonly string[]): number {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first === -1 ? lines.length : first;
}

function isWholeLines(text: string, start: number, end: number): boolean {
  const startsLine = start === 0 || /[\r\n]/.test(text[start - 1]!);
  return startsLine && (end === text.length || /[\r\n]/.test(text[end]!));
}

function lineBefore(text: string, start: number): string {
  return splitLines(text.slice(Math.max(0, start - maxLookedAt), start).trimEnd())
    .at(-1)!
    .trim();
}

function lineAfter(text: string, end: number): string {
  return splitLines(text.slice(end, end + maxLookedAt).trimStart())[0]!.trim();
}
