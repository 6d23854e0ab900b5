import { plainText } from "./plain-text.ts";

/** A server's text without terminal control sequences and invisible characters. */
export function cleanText(text: string): string {
  const plain = plainText(text);
  return hidden.test(plain) ? plain.replace(allHidden, keepJoiner) : plain;
}

/** Cuts at the end of a character and notes the original size. */
export function capText(text: string, maxBytes: number): string {
  if (text.length <= maxBytes / 3 || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  let end = maxBytes;
  // Bytes that continue a character begin with the bits 10.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString("utf8", 0, end)}… [cut from ${bytes.length} bytes]`;
}

// Bidirectional controls, zero-width characters, tags, rare variation selectors, line separators, lone surrogates.
const hiddenCharacters =
  "\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u3164\\uffa0\\u{e0100}-\\u{e01ef}";
const hidden = new RegExp(`[${hiddenCharacters}]`, "u");
// All that stand together at once: one by one, a million of them would keep others waiting.
const allHidden = new RegExp(`[${hiddenCharacters}]+`, "gu");

/** Emoji and some scripts need a single joiner between visible characters; a row of joiners hides something. */
function keepJoiner(found: string, offset: number, whole: string): string {
  if (found !== "\u200c" && found !== "\u200d") return "";
  const before = [...whole.slice(Math.max(0, offset - 2), offset)].at(-1) ?? "";
  const after = String.fromCodePoint(whole.codePointAt(offset + 1) ?? 0x20);
  return joinable.test(before) && joinable.test(after) ? found : "";
}

const joinable = /^(?:\p{L}|\p{M}|\p{Extended_Pictographic}|\p{Emoji_Modifier})$/u;
