import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";

/** A picture that shows which way up it is: red and green above blue and yellow. */
export const upright = "red green blue yellow";

const colours = new Map([
  ["red", [255, 0, 0, 255]],
  ["green", [0, 255, 0, 255]],
  ["blue", [0, 0, 255, 255]],
  ["yellow", [255, 255, 0, 255]],
  ["clear", [0, 0, 0, 0]],
]);

/** The four corners' colours in the order of reading, in a picture to be encoded. */
export function drawQuarters(corners: string, { width = 64, height = 48 } = {}): Sharp {
  const names = corners.split(" ");
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const quarter = (y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1);
      data.set(colours.get(names[quarter]!)!, (y * width + x) * 4);
    }
  }
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  return names.includes("clear") ? image : image.removeAlpha();
}

/** Looks at the middle of each quarter of an encoded picture, in the order of reading. */
export async function seeQuarters(base64: string): Promise<string> {
  const { data, info } = await sharp(Buffer.from(base64, "base64"))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const seen = [1, 3].flatMap((row) =>
    [1, 3].map((column) => {
      const x = Math.floor((info.width * column) / 4);
      const y = Math.floor((info.height * row) / 4);
      return nameColour(data.subarray((y * info.width + x) * 4));
    }),
  );
  return seen.join(" ");
}

function nameColour([red = 0, green = 0, blue = 0, opacity = 0]: Buffer): string {
  if (opacity < 128) return "clear";
  // Lossy formats bleed, but never from one of these colours to the middle of another.
  const snapped = [red, green, blue].map((value) => (value > 128 ? 255 : 0)).join();
  return [...colours].find(([, colour]) => colour.slice(0, 3).join() === snapped)?.[0] ?? snapped;
}

export function readFixture(name: string): Promise<Buffer> {
  return readFile(new URL(`../../fixtures/images/${name}`, import.meta.url));
}
