/** The last offset up to `end` that does not split a UTF-8 character. */
export function wholeEnd(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back]!;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) return sequenceBytes(byte) > back ? end - back : end;
  }
  return end;
}

/** The first offset from `start` on that does not split a UTF-8 character. */
export function wholeStart(bytes: Uint8Array, start: number): number {
  const last = Math.min(start + 3, bytes.length);
  let at = start;
  // Bytes that continue a character begin with the bits 10.
  while (at < last && (bytes[at]! & 0xc0) === 0x80) at += 1;
  return at;
}

function sequenceBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
