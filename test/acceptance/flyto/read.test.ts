import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import sharp from "sharp";
import { expect, test } from "vitest";
import { flagsOf, reading, shareFlyto, shown } from "./share-flyto.ts";

const flyto = shareFlyto();

const read = (path: string, more: object = {}) => flyto.call("Read", { file_path: flyto.at(path), ...more });

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `l${index + 1}\n`).join("");

test("F25: Read also answers to FileRead, runs beside other calls and changes nothing", async () => {
  await flyto.put({ "f25.txt": "both names\n" });
  expect(shown(flyto.session, "Read").metadata.aliases).toEqual(["FileRead"]);
  expect(flagsOf(flyto.session, "Read")).toEqual(reading);
  const byAlias = await flyto.call("FileRead", { file_path: flyto.at("f25.txt") });
  expect(byAlias.text).toBe((await read("f25.txt")).text);
});

test("F26: Read takes file_path, an offset counted from 0 and a limit of at least 1", async () => {
  await flyto.put({ "f26.txt": "zero\none\ntwo\n" });
  const { required, properties } = shown(flyto.session, "Read").inputSchema;
  expect(required).toEqual(["file_path"]);
  expect(properties).toMatchObject({
    file_path: { type: "string" },
    offset: { type: "integer", minimum: 0 },
    limit: { type: "integer", minimum: 1, default: 2000 },
  });
  expect((await read("f26.txt", { offset: 0, limit: 1 })).text).toContain("\tzero\n");
  expect((await read("f26.txt", { offset: 2, limit: 1 })).text).toBe("     3\ttwo");
  for (const wrong of [{ offset: -1 }, { limit: 0 }, { limit: 1.5 }])
    expect(await read("f26.txt", wrong)).toMatchObject({ error: { code: "invalid-input" } });
});

test("F27: Read refuses a relative path", async () => {
  await flyto.put({ "f27.txt": "there\n" });
  const relative = await flyto.call("Read", { file_path: "f27.txt" });
  expect(relative).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
  expect(relative.error?.message).toContain("absolute");
  expect((await read("f27.txt")).status).toBe("done");
});

test("F28: without a limit Read gives 2,000 lines, and says where the next ones begin", async () => {
  await flyto.put({ "f28-all.txt": linesOf(2000), "f28-more.txt": linesOf(2001) });
  const all = await read("f28-all.txt");
  expect(all.text.split("\n")).toHaveLength(2000);
  expect(all).not.toHaveProperty("truncated");
  const more = await read("f28-more.txt");
  expect(more.text.split("\n").slice(1999)).toEqual([
    "  2000\tl2000",
    "(Showing lines 1-2000 of 2001. Continue with offset=2000.)",
  ]);
  expect(more.truncated).toBe(true);
  expect((await read("f28-more.txt", { offset: 2000 })).text).toBe("  2001\tl2001");
});

test("F29: Read numbers its lines as `cat -n` does", async () => {
  await flyto.put({ "f29.txt": "first\n\n\tindented\n" });
  const { stdout } = await promisify(execFile)("cat", ["-n", flyto.at("f29.txt")]);
  expect((await read("f29.txt")).text).toBe(stdout.trimEnd());
});

test("F30: a file with a NUL byte among its first 512 bytes is binary, and one with it later is not", async () => {
  const before = (bytes: number) => Buffer.concat([Buffer.alloc(bytes, "a"), Buffer.from("\0b\n")]);
  await flyto.put({ "f30-binary": before(511), "f30-text": before(512) });
  expect(await read("f30-binary")).toMatchObject({ status: "failed", error: { code: "binary-file" } });
  expect((await read("f30-text")).status).toBe("done");
});

test("F31: of a PDF, Read tells the type and the size", async () => {
  await flyto.put({ "f31.pdf": "%PDF-1.7\n\0\n%%EOF\n" });
  const { status, text } = await read("f31.pdf");
  expect(status).toBe("done");
  expect(text).toMatch(/PDF.*application\/pdf, 17 bytes/);
});

test("F32: images come turned upright as base64, in a format that models take", async () => {
  const wide = { create: { width: 40, height: 20, channels: 3, background: "red" } } as const;
  const turned = () => sharp(wide).withMetadata({ orientation: 6 });
  await flyto.put({
    "f32.jpg": await turned().jpeg().toBuffer(),
    "f32.png": await sharp(wide).png().toBuffer(),
    "f32.gif": await sharp(wide).gif().toBuffer(),
    "f32.webp": await sharp(wide).webp().toBuffer(),
    "f32-turned.webp": await turned().webp().toBuffer(),
    "f32.tiff": await turned().tiff().toBuffer(),
    "f32.avif": await sharp(wide).avif({ effort: 0 }).toBuffer(),
    "f32.heic": await readFile(new URL("../../fixtures/images/quarters-turned.heic", import.meta.url)),
  });
  const look = async (path: string) => {
    const { content } = await read(path);
    const image = content.find((part) => part.type === "image");
    if (image?.type !== "image") throw new Error(`${path} is no image`);
    const { width, height, format } = await sharp(Buffer.from(image.data, "base64")).metadata();
    return { mimeType: image.mimeType, format, isUpright: height > width };
  };
  expect(await look("f32.jpg")).toEqual({ mimeType: "image/jpeg", format: "jpeg", isUpright: true });
  expect(await look("f32.png")).toEqual({ mimeType: "image/png", format: "png", isUpright: false });
  expect(await look("f32.gif")).toMatchObject({ mimeType: "image/gif", format: "gif" });
  expect(await look("f32.webp")).toEqual({ mimeType: "image/webp", format: "webp", isUpright: false });
  expect(await look("f32-turned.webp")).toMatchObject({ isUpright: true });
  expect(await look("f32.tiff")).toEqual({ mimeType: "image/jpeg", format: "jpeg", isUpright: true });
  expect(await look("f32.avif")).toMatchObject({ mimeType: "image/jpeg", format: "jpeg" });
  expect(await look("f32.heic")).toMatchObject({ mimeType: "image/jpeg", format: "jpeg" });
});

test('F33: of an empty file, Read says "File exists but is empty"', async () => {
  await flyto.put({ "f33.txt": "" });
  expect(await read("f33.txt")).toMatchObject({ status: "done", text: "File exists but is empty" });
});

test("F34: Read refuses a folder and suggests to list it with ls", async () => {
  await flyto.put({ "f34/inside.txt": "" });
  const folder = await read("f34");
  expect(folder).toMatchObject({ status: "failed", error: { code: "is-directory" } });
  expect(folder.error?.hint).toMatch(/\bls\b/);
});

test("F35: a file that was read is remembered, so that a change from outside stops the next write and edit", async () => {
  await flyto.put({ "f35.txt": "as it was read\n" });
  await read("f35.txt");
  await writeFile(flyto.at("f35.txt"), "as somebody left it\n");
  const edit = { file_path: flyto.at("f35.txt"), old_string: "it", new_string: "one" };
  const write = { file_path: flyto.at("f35.txt"), content: "mine\n" };
  for (const [name, input] of [["Edit", edit] as const, ["Write", write] as const])
    expect(await flyto.call(name, input)).toMatchObject({ status: "failed", error: { code: "stale-file" } });
  expect(await readFile(flyto.at("f35.txt"), "utf8")).toBe("as somebody left it\n");
  await read("f35.txt");
  expect((await flyto.call("Write", write)).status).toBe("done");
});
