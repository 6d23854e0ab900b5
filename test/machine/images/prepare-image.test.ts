import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { expect, test } from "vitest";
import { prepareImage } from "../../../src/machine/images/prepare-image.ts";
import { drawQuarters, readFixture, seeQuarters, upright } from "./quarters.ts";

const taken = ["jpeg", "png", "gif", "webp"] as const;

// What lies in the stored corners of each EXIF orientation so that the shown picture is upright.
const storedCorners = [
  [2, "green red yellow blue"],
  [3, "yellow blue green red"],
  [4, "blue yellow red green"],
  [5, "red blue green yellow"],
  [6, "green yellow red blue"],
  [7, "yellow green blue red"],
  [8, "blue red yellow green"],
] as const;

test.each(taken)("prepareImage passes a small upright %s through byte for byte", async (format) => {
  const bytes = await drawQuarters(upright).toFormat(format).toBuffer();
  const image = await prepareImage(bytes);
  expect(image).toEqual({
    data: bytes.toString("base64"),
    mimeType: `image/${format}`,
    width: 64,
    height: 48,
    original: { format, mimeType: `image/${format}`, width: 64, height: 48, sizeBytes: bytes.length },
    notes: [],
  });
});

test.each(taken)("prepareImage passes a %s of one pixel through", async (format) => {
  const bytes = await drawQuarters(upright, { width: 1, height: 1 }).toFormat(format).toBuffer();
  const image = await prepareImage(bytes);
  expect(image).toMatchObject({ width: 1, height: 1, notes: [], data: bytes.toString("base64") });
});

test.each([
  ["lossless WebP", () => drawQuarters(upright).webp({ lossless: true })],
  ["WebP with transparency", () => drawQuarters("clear green blue yellow").webp()],
  ["progressive JPEG", () => drawQuarters(upright).jpeg({ progressive: true })],
  ["JPEG that says it is upright", () => drawQuarters(upright).withMetadata({ orientation: 1 }).jpeg()],
])("prepareImage reads the size of a %s and leaves it alone", async (_, draw) => {
  const bytes = await draw().toBuffer();
  const image = await prepareImage(bytes);
  expect(image).toMatchObject({ width: 64, height: 48, notes: [], data: bytes.toString("base64") });
});

test.each(storedCorners)(
  "prepareImage turns a JPEG of orientation %i upright",
  async (orientation, corners) => {
    const size = orientation >= 5 ? { width: 48, height: 64 } : { width: 64, height: 48 };
    const bytes = await drawQuarters(corners, size).withMetadata({ orientation }).jpeg().toBuffer();
    const image = await prepareImage(bytes);
    expect(image).toMatchObject({ width: 64, height: 48, mimeType: "image/jpeg", notes: ["turned upright"] });
    expect(image.original).toMatchObject(size);
    expect(await seeQuarters(image.data)).toBe(upright);
    expect((await sharp(Buffer.from(image.data, "base64")).metadata()).orientation).toBeUndefined();
  },
);

test.each(["png", "webp", "tiff", "avif"] as const)("prepareImage turns a %s upright too", async (format) => {
  const [orientation, corners] = storedCorners[4];
  const drawing = drawQuarters(corners, { width: 48, height: 64 }).withMetadata({ orientation });
  const image = await prepareImage(await drawing.toFormat(format).toBuffer());
  expect(image).toMatchObject({ width: 64, height: 48 });
  expect(await seeQuarters(image.data)).toBe(upright);
});

test("prepareImage survives EXIF data that makes no sense", async () => {
  const whole = await drawQuarters(upright).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const bytes = Buffer.from(whole);
  bytes.fill(0xff, bytes.indexOf("Exif\0\0") + 8, bytes.indexOf("Exif\0\0") + 40);
  expect(await prepareImage(bytes)).toMatchObject({ width: 64, height: 48, notes: [] });
});

test.each(["tiff", "avif"] as const)(
  "prepareImage converts a %s to JPEG, or to PNG if one can see through it",
  async (format) => {
    const encode = (corners: string) => {
      const drawing = drawQuarters(corners);
      return (format === "tiff" ? drawing.tiff({ compression: "lzw" }) : drawing.avif()).toBuffer();
    };
    const opaque = await prepareImage(await encode(upright));
    expect(opaque).toMatchObject({ mimeType: "image/jpeg", width: 64, height: 48 });
    expect(opaque.notes).toEqual([`converted from ${format.toUpperCase()}`]);
    expect(await seeQuarters(opaque.data)).toBe(upright);
    const corners = "clear green blue yellow";
    const transparent = await prepareImage(await encode(corners));
    expect(transparent.mimeType).toBe("image/png");
    expect(await seeQuarters(transparent.data)).toBe(corners);
  },
);

test("prepareImage converts a HEIC to JPEG, or to PNG if one can see through it", async () => {
  const bytes = await readFixture("quarters.heic");
  const opaque = await prepareImage(bytes);
  expect(opaque).toMatchObject({
    mimeType: "image/jpeg",
    width: 64,
    height: 48,
    notes: ["converted from HEIC"],
  });
  expect(opaque.original).toEqual({
    format: "heic",
    mimeType: "image/heic",
    width: 64,
    height: 48,
    sizeBytes: bytes.length,
  });
  expect(await seeQuarters(opaque.data)).toBe(upright);
  const transparent = await prepareImage(await readFixture("quarters-transparent.heic"));
  expect(transparent.mimeType).toBe("image/png");
  expect(await seeQuarters(transparent.data)).toBe("clear green blue yellow");
});

test("prepareImage turns a HEIC as its container says", async () => {
  const image = await prepareImage(await readFixture("quarters-turned.heic"));
  expect(image).toMatchObject({ width: 48, height: 64 });
  expect(await seeQuarters(image.data)).toBe("blue red yellow green");
});

test("prepareImage takes the main image of a HEIC, though it is not the first in it", async () => {
  const image = await prepareImage(await readFixture("quarters-second.heic"));
  expect(image).toMatchObject({ width: 64, height: 48 });
  expect(image.notes).toEqual(["converted from HEIC", "reduced to one of 2 frames"]);
  expect(await seeQuarters(image.data)).toBe(upright);
});

test("prepareImage reads a HEIC whose main brand is a rare one", async () => {
  const bytes = await readFixture("quarters.heic");
  bytes.write("heis", 8, "latin1");
  expect((await prepareImage(bytes)).notes).toEqual(["converted from HEIC"]);
});

test("prepareImage converts a format that the model does not take, though others do", async () => {
  const bytes = await drawQuarters(upright).webp().toBuffer();
  const image = await prepareImage(bytes, { accepts: ["image/png"] });
  expect(image).toMatchObject({ mimeType: "image/png", notes: ["converted from WEBP"] });
  expect(await seeQuarters(image.data)).toBe(upright);
});

test("prepareImage leaves any format alone that the model takes", async () => {
  const bytes = await drawQuarters(upright).avif().toBuffer();
  const image = await prepareImage(bytes, { accepts: ["image/avif"] });
  expect(image).toMatchObject({ data: bytes.toString("base64"), mimeType: "image/avif", notes: [] });
});

test("prepareImage says if nothing that is accepted can be made", async () => {
  const bytes = await drawQuarters(upright).tiff().toBuffer();
  await expect(prepareImage(bytes, { accepts: ["image/gif"] })).rejects.toMatchObject({
    code: "unsupported",
  });
});

test("prepareImage shows what lies under transparency on white where only JPEG is taken", async () => {
  const bytes = await drawQuarters("clear green blue yellow").png().toBuffer();
  const image = await prepareImage(bytes, { accepts: ["image/jpeg"] });
  expect(await seeQuarters(image.data)).toBe("255,255,255 green blue yellow");
});

test("prepareImage downsizes an image that is too wide or too high, and keeps its shape and kind", async () => {
  const wide = await drawQuarters(upright, { width: 2400, height: 600 }).png().toBuffer();
  const image = await prepareImage(wide);
  expect(image).toMatchObject({
    width: 2000,
    height: 500,
    mimeType: "image/png",
    notes: ["downsized from 2400x600"],
  });
  expect(await seeQuarters(image.data)).toBe(upright);
  const high = await drawQuarters(upright, { width: 30, height: 90 }).jpeg().toBuffer();
  expect(await prepareImage(high, { maxSide: 30 })).toMatchObject({ width: 10, height: 30 });
});

test("prepareImage downsizes a HEIC in the same step", async () => {
  const image = await prepareImage(await readFixture("quarters.heic"), { maxSide: 32 });
  expect(image).toMatchObject({ width: 32, height: 24 });
  expect(image.notes).toEqual(["converted from HEIC", "downsized from 64x48"]);
});

test.each(["png", "jpeg", "webp"] as const)(
  "prepareImage makes a %s of pure noise fit the bytes allowed",
  async (format) => {
    const noise = sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } });
    const bytes = await noise.toFormat(format).toBuffer();
    const image = await prepareImage(bytes, { maxOutputBytes: 20_000 });
    expect(image.data.length).toBeLessThanOrEqual(20_000);
    expect(image.width).toBeGreaterThan(60);
    expect(image.notes).toContain("downsized from 300x300");
  },
);

test("prepareImage counts the bytes as they travel, in base64", async () => {
  const bytes = await drawQuarters(upright).png().toBuffer();
  const maxOutputBytes = bytes.toString("base64").length;
  expect((await prepareImage(bytes, { maxOutputBytes })).notes).toEqual([]);
  expect((await prepareImage(bytes, { maxOutputBytes: maxOutputBytes - 1 })).data.length).toBeLessThan(
    maxOutputBytes,
  );
});

test("prepareImage says if not even one pixel fits", async () => {
  const bytes = await drawQuarters(upright).png().toBuffer();
  await expect(prepareImage(bytes, { maxOutputBytes: 10 })).rejects.toMatchObject({ code: "too-large" });
});

test.each(["gif", "webp"] as const)(
  "prepareImage leaves a small animated %s alone, and takes one frame of a large one",
  async (format) => {
    const frames = [upright, "yellow blue green red"].map((corners) =>
      drawQuarters(corners).png().toBuffer(),
    );
    const bytes = await sharp(await Promise.all(frames), { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    expect(await prepareImage(bytes)).toMatchObject({
      data: bytes.toString("base64"),
      width: 64,
      height: 48,
    });
    const image = await prepareImage(bytes, { maxSide: 32 });
    expect(image).toMatchObject({ width: 32, height: 24 });
    expect(image.notes).toContain("reduced to one of 2 frames");
    expect(await seeQuarters(image.data)).toBe(upright);
  },
);

test("prepareImage converts print colours and sixteen bits to the colours that models read", async () => {
  // Bright green is none of the colours that can be printed.
  const corners = "red yellow blue red";
  const print = await drawQuarters(corners).toColourspace("cmyk").jpeg().toBuffer();
  const deep = await drawQuarters(corners).toColourspace("rgb16").png().toBuffer();
  for (const bytes of [print, deep]) {
    const { data } = await prepareImage(bytes, { maxSide: 32 });
    expect(await seeQuarters(data)).toBe(corners);
    expect(await sharp(Buffer.from(data, "base64")).metadata()).toMatchObject({
      space: "srgb",
      depth: "uchar",
    });
  }
});

test("prepareImage keeps grey images grey or makes them colour, but never empty", async () => {
  const grey = await drawQuarters(upright).greyscale().tiff().toBuffer();
  expect(await prepareImage(grey)).toMatchObject({ mimeType: "image/jpeg", width: 64, height: 48 });
});
