import type { Texts } from "./changed-spans.ts";
import type { TextChange } from "./text-change.ts";

/**
 * The bytes of a text in UTF-8 after a change, as parts of those before it, which may begin with a byte order mark, and
 * what is new in between. Undefined where the change goes through a character.
 */
export function spliceBytes(
  bytes: Buffer,
  { start, end, newStart, newEnd }: TextChange,
  { before, after }: Texts,
): readonly Buffer[] | undefined {
  const inserted = after.slice(newStart, newEnd);
  if (!inserted.isWellFormed() || isInsideCharacter(before, start) || isInsideCharacter(before, end))
    return undefined;
  // Most files are plain: then nothing has to be counted.
  const isPlain = bytes.length === before.length;
  const tailBytes = isPlain ? before.length - end : Buffer.byteLength(before.slice(end));
  const changedBytes = isPlain ? end - start : Buffer.byteLength(before.slice(start, end));
  const tailStart = bytes.length - tailBytes;
  return [bytes.subarray(0, tailStart - changedBytes), Buffer.from(inserted), bytes.subarray(tailStart)];
}

/** Characters outside the basic plane take two places in a text, and four bytes. */
function isInsideCharacter(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff;
}
