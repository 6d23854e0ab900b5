export type ImageFormat = "jpeg" | "png" | "gif" | "webp" | "tiff" | "heic" | "avif";

/** Format by the first 64 bytes; the file name is not trusted. */
export function imageFormatOf(head: Buffer): ImageFormat | undefined {
  const text = head.toString("latin1", 0, maxHeadBytes);
  return signatures.find(([, pattern]) => pattern.test(text))?.[0] ?? containedFormat(text);
}

export function mimeTypeOf(format: ImageFormat): string {
  return `image/${format}`;
}

const maxHeadBytes = 512;

const signatures: readonly (readonly [ImageFormat, RegExp])[] = [
  ["jpeg", /^\xff\xd8\xff/],
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF.{4}WEBP/s],
  ["tiff", /^(?:II[*+]\0|MM\0[*+])/],
];

const brandFormats: ReadonlyMap<string, ImageFormat> = new Map([
  ["avif", "avif"],
  ["avis", "avif"],
  ...["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"].map(
    (brand) => [brand, "heic"] as const,
  ),
]);

/** HEIC and AVIF share one container; the brands at its start tell them apart, the main one first. */
function containedFormat(text: string): ImageFormat | undefined {
  if (text.slice(4, 8) !== "ftyp") return undefined;
  const boxBytes = Buffer.from(text.slice(0, 4), "latin1").readUInt32BE();
  const [mainBrand = "", , ...others] = text.slice(8, boxBytes).match(/.{4}/gs) ?? [];
  const known = [mainBrand, ...others].map((brand) => brandFormats.get(brand)).find(Boolean);
  return known ?? (/^m[is]f1$/.test(mainBrand) ? "heic" : undefined);
}
