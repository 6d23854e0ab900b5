import sharp from "sharp";
import { expect, test } from "vitest";
import { readPlainHeader } from "../../../src/machine/images/plain-header.ts";
import { drawQuarters, upright } from "./quarters.ts";

const turned = { width: 64, height: 48, orientation: 6, isComplete: true };

test("the header reader reads a JPEG with fill bytes between its markers", async () => {
  const bytes = await drawTurned().jpeg().toBuffer();
  const filled = Buffer.concat([bytes.subarray(0, 2), Buffer.alloc(7, 0xff), bytes.subarray(2)]);
  expect(await sharp(filled).metadata()).toMatchObject({ width: 64, orientation: 6 });
  expect(readPlainHeader({ bytes: filled, format: "jpeg" })).toEqual(turned);
});

test("the header reader reads a WebP with a foreign chunk of odd length before its orientation", async () => {
  const bytes = await drawTurned().webp().toBuffer();
  const place = bytes.indexOf("EXIF");
  const foreign = Buffer.from("JUNK\x03\0\0\0abc\0", "latin1");
  const extended = Buffer.concat([bytes.subarray(0, place), foreign, bytes.subarray(place)]);
  extended.writeUInt32LE(extended.length - 8, 4);
  expect(await sharp(extended).metadata()).toMatchObject({ width: 64, orientation: 6 });
  expect(readPlainHeader({ bytes: extended, format: "webp" })).toEqual(turned);
});

test.each([0, 9, 255, 65_535])(
  "the header reader takes an orientation of %i for upright",
  async (orientation) => {
    const bytes = await drawTurned().jpeg().toBuffer();
    const entry = bytes.indexOf(Buffer.from([0x12, 0x01, 0x03, 0x00]));
    bytes.writeUInt16LE(orientation, entry + 8);
    expect(readPlainHeader({ bytes, format: "jpeg" })).toEqual({ ...turned, orientation: 1 });
  },
);

test("the header reader reads EXIF data of either byte order", async () => {
  const bytes = await drawQuarters(upright).png().toBuffer();
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0];
  const exif = Buffer.from([...Buffer.from("MM\0*\0\0\0\x08", "latin1"), 0, 1, ...entry, 0, 0, 0, 0]);
  const header = readPlainHeader({ bytes: withChunk(bytes, "eXIf", exif), format: "png" });
  expect(header).toEqual({ ...turned, orientation: 8 });
});

test("the header reader ends on data that leads in circles or nowhere", async () => {
  const bytes = await drawQuarters(upright).png().toBuffer();
  const nowhere = Buffer.from("II*\0\xff\xff\xff\xff", "latin1");
  const everything = Buffer.alloc(70_000, 0xff);
  for (const exif of [nowhere, everything, Buffer.alloc(0)]) {
    expect(readPlainHeader({ bytes: withChunk(bytes, "eXIf", exif), format: "png" })?.orientation).toBe(1);
  }
});

function drawTurned() {
  return drawQuarters(upright).withMetadata({ orientation: 6 });
}

/** A PNG with one more chunk, in the place after the header; its checksum is not looked at here. */
function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([png.subarray(0, 33), head, data, Buffer.alloc(4), png.subarray(33)]);
}
