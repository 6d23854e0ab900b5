import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPromptImages } from "../../../../src/faces/cli/open/read-prompt-images.ts";
import { parseCommandLine } from "../../../../src/faces/cli/run-command-line.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

test("images are recognized by their bytes, not by their names", async () => {
  const folder = await temporaryFolder();
  const [image, comma, text] = ["a.txt", "a,b.png", "b.png"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const bytes = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", "base64");
  for (const file of [image, comma]) await writeFile(file, bytes);
  await writeFile(text, "not an image");
  expect(await readPromptImages(undefined)).toEqual([]);
  const { flags } = parseCommandLine(["run", "look", "--image", image, `--image=${comma}`]);
  expect(await readPromptImages(flags.image)).toMatchObject([
    { type: "image", mimeType: "image/png" },
    { type: "image", mimeType: "image/png" },
  ]);
  await expect(readPromptImages([text])).rejects.toThrow("is not an image; use PNG, JPEG, GIF or WebP");
  await expect(readPromptImages([folder])).rejects.toThrow("there is no file");
  await expect(readPromptImages([`${image},${image}`])).rejects.toThrow("give --image once for each image");
});
