import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPromptImages } from "../../../src/cli/open/read-prompt-images.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

test("images are told by what they are, not by their names", async () => {
  const folder = await temporaryFolder();
  const [image, text] = [join(folder, "a.txt"), join(folder, "b.png")];
  await writeFile(image, Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", "base64"));
  await writeFile(text, "not an image");
  expect(await readPromptImages(undefined)).toEqual([]);
  expect(await readPromptImages(`${image},${image}`)).toMatchObject([
    { type: "image", mimeType: "image/png" },
    { type: "image", mimeType: "image/png" },
  ]);
  await expect(readPromptImages(text)).rejects.toThrow("is not an image; use PNG, JPEG, GIF or WebP");
  await expect(readPromptImages(folder)).rejects.toThrow("there is no file");
});
