/** EXIF orientation, 1 (upright) to 8. Invalid EXIF data counts as upright. */
export function exifOrientation(exif: Buffer): number {
  const data = exif.toString("latin1", 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif;
  const isLittle = data.toString("latin1", 0, 2) === "II";
  const number16 = (at: number) =>
    byteAt(data, at + (isLittle ? 1 : 0)) * 256 + byteAt(data, at + (isLittle ? 0 : 1));
  const number32 = (at: number) =>
    isLittle ? number16(at + 2) * 65_536 + number16(at) : number16(at) * 65_536 + number16(at + 2);
  const directory = number32(4);
  for (let index = 0; index < number16(directory); index += 1) {
    const entry = directory + 2 + index * entryBytes;
    if (number16(entry) !== orientationTag) continue;
    const orientation = number16(entry + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

const entryBytes = 12;
const orientationTag = 0x0112;

function byteAt(data: Buffer, position: number): number {
  return data[position] ?? 0;
}
