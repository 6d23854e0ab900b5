import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";

const red = { create: { width: 40, height: 20, channels: 3, background: "red" } } as const;

test("an image comes as an image, with its size and what was done to it", async () => {
  const { session, workspace } = await openTestSession();
  await writeFile(join(workspace, "plain.png"), await sharp(red).png().toBuffer());
  await writeFile(join(workspace, "scan.tiff"), await sharp(red).tiff().toBuffer());
  await writeFile(
    join(workspace, "turned.jpg"),
    await sharp(red).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  );

  const plain = await session.call("file_read", { path: "plain.png" });
  expect(plain.text).toContain("plain.png (image/png, 40x20)");
  expect(plain.content).toMatchObject([{ type: "text" }, { type: "image", mimeType: "image/png" }]);
  expect(plain.data).toMatchObject({ kind: "image", width: 40, height: 20 });
  const scan = await session.call("file_read", { path: "scan.tiff" });
  expect(scan.content[1]).toMatchObject({ type: "image", mimeType: "image/jpeg" });
  expect((await session.call("file_read", { path: "turned.jpg" })).data).toMatchObject({
    width: 20,
    height: 40,
  });
});

test("a broken image is told as such, other binary content by its type and size", async () => {
  const { session, workspace } = await openTestSession();
  const png = await sharp(red).png().toBuffer();
  await writeFile(join(workspace, "cut.png"), png.subarray(0, png.length / 2));
  await writeFile(join(workspace, "program"), Buffer.from("\x7fELF\x02\x01\x01\0\0\0", "latin1"));
  expect((await session.call("file_read", { path: "cut.png" })).error?.code).toBe("binary-file");
  const { error } = await session.call("file_read", { path: "program" });
  expect(error?.code).toBe("binary-file");
  expect(error?.message).toMatch(/ELF.*10 bytes/);
});
