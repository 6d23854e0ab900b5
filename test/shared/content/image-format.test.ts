import { expect, test } from "vitest";
import { imageFormatOf } from "../../../src/shared/content/image-format.ts";
import { drawQuarters, readFixture, upright } from "../../machine/images/quarters.ts";

test.each(["jpeg", "png", "gif", "webp", "tiff", "avif"] as const)(
  "the image format of a real %s is told by its first 64 bytes",
  async (format) => {
    const bytes = await drawQuarters(upright).toFormat(format).toBuffer();
    expect(imageFormatOf(bytes.subarray(0, 64))).toBe(format);
  },
);

test("the image format of a real HEIC is told by its first 64 bytes", async () => {
  expect(imageFormatOf((await readFixture("quarters.heic")).subarray(0, 64))).toBe("heic");
});

test.each([
  ["heic", ["mif1", "miaf", "heic"]],
  ["avif", ["mif1", "miaf", "avif"]],
  ["heic", ["heix"]],
  ["avif", ["avis", "msf1"]],
  ["heic", ["mif1"]],
  ["heic", ["MiHE", "heic"]],
  [undefined, ["isom", "mp42"]],
  [undefined, ["qt  "]],
])("the image format is %s behind the brands %j", (format, [mainBrand, ...others]) => {
  expect(imageFormatOf(container([mainBrand!, "\0\0\0\0", ...others]))).toBe(format);
});

test("the image format does not depend on what follows the brands", () => {
  expect(
    imageFormatOf(Buffer.concat([container(["isom", "\0\0\0\0"]), Buffer.from("heic")])),
  ).toBeUndefined();
});

test.each(["", "\0", "ftyp", "GIF88a", "RIFF1234WAVE", "II*", "BM", "<svg/>", "\xff\xd8", "\0\0\0\0ftyp"])(
  "the image format of %j is unknown",
  (text) => {
    expect(imageFormatOf(Buffer.from(text, "latin1"))).toBeUndefined();
  },
);

test("the image format TIFF is told in both byte orders and in its large kind", () => {
  const heads = ["II*\0", "MM\0*", "II+\0", "MM\0+"];
  expect(heads.map((head) => imageFormatOf(Buffer.from(head, "latin1")))).toEqual(heads.map(() => "tiff"));
});

function container(brands: readonly string[]): Buffer {
  const text = `ftyp${brands.join("")}`;
  const size = Buffer.alloc(4);
  size.writeUInt32BE(text.length + 4);
  return Buffer.concat([size, Buffer.from(text, "latin1")]);
}
