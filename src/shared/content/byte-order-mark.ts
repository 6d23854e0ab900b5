/** Byte order marks by encoding. */
export const byteOrderMarks: ReadonlyMap<string, Buffer> = new Map([
  ["utf-8", Buffer.from([0xef, 0xbb, 0xbf])],
  ["utf-16le", Buffer.from([0xff, 0xfe])],
  ["utf-16be", Buffer.from([0xfe, 0xff])],
]);
