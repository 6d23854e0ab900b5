/** Every byte is a character in this encoding, so any bytes survive decoding and encoding. */
export function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replace(/[\x80-\x9f]/g, (character) => specials[character.charCodeAt(0) - 0x80]!);
}

/** Undefined if the encoding lacks a character. */
export function encodeWindows1252(text: string): Buffer | undefined {
  const plain = text.replace(/[^\x00-\x7f\xa0-\xff]/g, (character) => {
    const index = specials.indexOf(character);
    return index === -1 ? character : String.fromCharCode(0x80 + index);
  });
  return /[^\x00-\xff]/.test(plain) ? undefined : Buffer.from(plain, "latin1");
}

// The characters of bytes 0x80 to 0x9f in the Encoding Standard; five are control characters.
const specials =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";
