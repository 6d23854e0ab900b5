import type { Texts } from "../../../shared/diff/changed-spans.ts";
import type { TextChange } from "../../../shared/diff/text-change.ts";

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
