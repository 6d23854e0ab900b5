import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { expect, test } from "vitest";
import { prepareImage } from "../../../src/machine/images/prepare-image.ts";
import { drawQuarters, readFixture, upright } from "./quarters.ts";

const encodable = ["jpeg", "png", "gif", "webp", "tiff", "avif"] as const;

test.each([
  ["nothing", Buffer.alloc(0)],
  ["text", Buffer.from("not a picture")],
  ["noise", Buffer.concat([Buffer.from([1]), randomBytes(4096)])],
])("prepareImage refuses %s as no image", async (_, bytes) => {
  await expect(prepareImage(bytes)).rejects.toMatchObject({
    code: "binary-file",
    hint: expect.stringContaining("HEIC"),
  });
});

test.each(encodable)("prepareImage refuses a %s that was cut off, wherever", async (format) => {
  const noise = sharp(randomBytes(40 * 40 * 3), { raw: { width: 40, height: 40, channels: 3 } });
  const bytes = await noise.toFormat(format).toBuffer();
  for (const part of [0.02, 0.1, 0.3, 0.5, 0.7, 0.9]) {
    await refuses(bytes.subarray(0, Math.max(16, Math.floor(bytes.length * part))));
  }
});

test("prepareImage refuses a HEIC that was cut off, wherever", async () => {
  const bytes = await readFixture("quarters.heic");
  for (const part of [0.1, 0.3, 0.5, 0.7, 0.9])
    await refuses(bytes.subarray(0, Math.floor(bytes.length * part)));
});

test.each(encodable)("prepareImage refuses a head of a %s with noise behind it", async (format) => {
  const bytes = await drawQuarters(upright).toFormat(format).toBuffer();
  const head = format === "tiff" ? 4 : 24;
  await refuses(Buffer.concat([bytes.subarray(0, head), Buffer.alloc(2048, 0xa5)]));
});

test("prepareImage refuses pixels that are damaged in the middle of a small PNG", async () => {
  const bytes = await drawQuarters(upright).png().toBuffer();
  bytes.fill(0x55, bytes.indexOf("IDAT") + 8, bytes.indexOf("IDAT") + 24);
  await refuses(bytes);
});

test.each(encodable)("prepareImage refuses a %s of too many pixels", async (format) => {
  const bytes = await drawQuarters(upright).toFormat(format).toBuffer();
  await expect(prepareImage(bytes, { maxPixels: 64 * 48 - 1 })).rejects.toMatchObject({
    code: "too-large",
    message: expect.stringContaining("64x48"),
  });
  await expect(prepareImage(bytes, { maxPixels: 64 * 48 })).resolves.toMatchObject({ width: 64 });
});

test("prepareImage refuses a HEIC of too many pixels", async () => {
  const refused = prepareImage(await readFixture("quarters.heic"), { maxPixels: 3000 });
  await expect(refused).rejects.toMatchObject({ code: "too-large" });
});

// None of these has a pixel to decode: whoever tried would find the data damaged and not too large.
test.each([
  ["PNG", () => patched("png", (bytes) => bytes.writeUInt32BE(60_000, bytes.writeUInt32BE(60_000, 16)))],
  ["GIF", () => patched("gif", (bytes) => bytes.writeUInt16LE(60_000, bytes.writeUInt16LE(60_000, 6)))],
  ["JPEG", () => patched("jpeg", (bytes) => bytes.fill(0xea, frameOf(bytes) + 5, frameOf(bytes) + 9))],
  ["WebP", () => patched("webp", (bytes) => bytes.fill(0x3f, 26, 30))],
  ["AVIF", () => patched("avif", growContainer)],
  ["HEIC", async () => growContainer(await readFixture("quarters.heic"))],
])("prepareImage refuses a tiny %s that tells of huge dimensions, before decoding", async (_, make) => {
  const refused = prepareImage((await make()) as Buffer);
  await expect(refused).rejects.toMatchObject({
    code: "too-large",
    message: expect.stringMatching(/\d{5}x\d{5} pixels, \d+(?:\.\d+)? megapixels; at most 40 megapixels/),
    hint: expect.stringContaining("smaller"),
  });
});

test("prepareImage refuses a HEIC whose size is not the one it tells", async () => {
  const bytes = await readFixture("quarters.heic");
  await refuses(growContainer(bytes, 4000));
});

test.each(["png", "gif", "jpeg"] as const)("prepareImage refuses a %s without width", async (format) => {
  const at = { png: 16, gif: 6, jpeg: undefined };
  await refuses(
    await patched(format, (bytes) => {
      const start = at[format] ?? frameOf(bytes) + 7;
      bytes.fill(0, start, start + (format === "png" ? 4 : 2));
    }),
  );
});

async function refuses(bytes: Buffer): Promise<void> {
  await expect(prepareImage(bytes)).rejects.toMatchObject({
    name: "ToolError",
    code: "binary-file",
    message: expect.stringMatching(/^the [A-Z]+ image is damaged or cut off: ./),
  });
}

async function patched(
  format: (typeof encodable)[number],
  change: (bytes: Buffer) => unknown,
): Promise<Buffer> {
  const bytes = await drawQuarters(upright).toFormat(format).toBuffer();
  change(bytes);
  return bytes;
}

function frameOf(jpeg: Buffer): number {
  return jpeg.indexOf(Buffer.from([0xff, 0xc0]));
}

/** Writes another size into every image description of a HEIC or AVIF. */
function growContainer(bytes: Buffer, side = 60_000): Buffer {
  for (let at = bytes.indexOf("ispe"); at !== -1; at = bytes.indexOf("ispe", at + 1)) {
    bytes.writeUInt32BE(side, at + 8);
    bytes.writeUInt32BE(side, at + 12);
  }
  return bytes;
}
