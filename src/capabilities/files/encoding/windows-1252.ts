/** Every byte is a character in this encoding, so any bytes survive decoding and encoding. */
export function decodeWindows1252(bytes: Buffer): string {
  const units = new Uint16Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    units[at] = byte >= 0x80 && byte <= 0x9f ? specials.charCodeAt(byte - 0x80) : byte;
  }
  return Buffer.from(units.buffer).toString("utf16le");
}

/** Undefined if the encoding lacks a character. */
export function encodeWindows1252(text: string): Buffer | undefined {
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const byte = unit < 0x80 || (unit >= 0xa0 && unit <= 0xff) ? unit : byteOf.get(unit);
    if (byte === undefined) return undefined;
    bytes[at] = byte;
  }
  return bytes;
}

// The characters of bytes 0x80 to 0x9f in the Encoding Standard; five are control characters.
const specials =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

const byteOf: ReadonlyMap<number, number> = new Map(
  Array.from(specials, (character, index) => [character.charCodeAt(0), 0x80 + index]),
);
