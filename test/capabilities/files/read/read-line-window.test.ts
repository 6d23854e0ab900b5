import { chmod, open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fc } from "../../../support/fuzz.ts";
import { asOrdinaryUser } from "../as-ordinary-user.ts";
import { temporaryWorkspace } from "../temporary-workspace.ts";

const all = { firstLine: 1, maxLines: 1_000_000 };

async function read(content: string | Uint8Array, window = all) {
  const { files } = await temporaryWorkspace({ "a.txt": content });
  return files.readLines("a.txt", window);
}

describe("lines", () => {
  test.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["\n", [""]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\rb\n", ["a\rb"]],
    ["a\r", ["a\r"]],
    ["a\r\r\n", ["a\r"]],
    ["\ufeffa\n", ["a"]],
    ["a\n\ufeffb", ["a", "\ufeffb"]],
  ])("of %j", async (content, lines) => {
    expect(await read(content)).toEqual({
      path: "a.txt",
      lines,
      firstLine: 1,
      totalLines: lines.length,
      hasMore: false,
      cutLines: [],
      skippedCharacters: 0,
      sizeBytes: Buffer.byteLength(content),
    });
  });

  test("of any text are those of a plain split, through any window", async () => {
    const { root, files } = await temporaryWorkspace({ "a.txt": "" });
    const handle = await open(join(root, "a.txt"), "r+");
    onTestFinished(() => handle.close());
    const line = fc
      .string({ unit: "grapheme", maxLength: 30 })
      .map((text) => text.replace(/[\n\r\0\ufeff]/g, ""));
    const text = fc
      .array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { maxLength: 40 })
      .chain((lines) => line.map((last) => lines.flat().join("") + last));
    const place = fc.integer({ min: 1, max: 50 });
    await fc.assert(
      fc.asyncProperty(text, place, place, async (content, firstLine, maxLines) => {
        await handle.truncate();
        await handle.write(content, 0);
        const expected = content.split(/\r?\n/);
        if (expected.at(-1) === "") expected.pop();
        const window = await files.readLines("a.txt", { firstLine, maxLines });
        expect(window.lines).toEqual(expected.slice(firstLine - 1, firstLine - 1 + maxLines));
        expect(window.totalLines).toBe(expected.length);
        expect(window.hasMore).toBe(expected.length > firstLine - 1 + maxLines && window.lines.length > 0);
      }),
    );
  });

  test("are whole where the chunks of a large file meet in the middle of a character", async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index} 界😀é ${"x".repeat(index % 7)}`);
    const window = await read(lines.join("\r\n"), { firstLine: 20_001, maxLines: 30_000 });
    expect(window.lines).toEqual(lines.slice(20_000, 50_000));
    expect(window).toMatchObject({ hasMore: true, totalLines: 60_000 });
  });

  test("are not counted to the end of a file that is large", async () => {
    const window = await read("some words in a line\n".repeat(300_000), { firstLine: 10, maxLines: 5 });
    expect(window.lines).toHaveLength(5);
    expect(window.hasMore).toBe(true);
    expect(window).not.toHaveProperty("totalLines");
  });

  test("end early, with more to come, where a window asks for more than fits in memory", async () => {
    const window = await read("a\n".repeat(1_200_000), { firstLine: 1, maxLines: 1e9 });
    expect(window.lines.length).toBeLessThan(1_000_000);
    expect(window).toMatchObject({ hasMore: true, totalLines: 1_200_000 });
  });

  test("past the end are none, and the number of lines is returned", async () => {
    expect(await read("a\nb\n", { firstLine: 9, maxLines: 5 })).toMatchObject({
      lines: [],
      totalLines: 2,
      hasMore: false,
    });
  });
});

describe("long lines", () => {
  test("are cut after 2,000 characters, and what was cut is counted", async () => {
    const window = await read(`${"a".repeat(2000)}\r\n${"b".repeat(2500)}\r\nc`);
    expect(window.lines).toEqual(["a".repeat(2000), "b".repeat(2000), "c"]);
    expect(window.cutLines).toEqual([{ line: 2, cutCharacters: 500 }]);
  });

  test("are never cut inside a character", async () => {
    const window = await read(`${"a".repeat(1999)}😀😀\n`);
    expect(window.lines).toEqual(["a".repeat(1999)]);
    expect(window.cutLines).toEqual([{ line: 1, cutCharacters: 4 }]);
  });

  test("of many chunks keep their beginning and their count", async () => {
    const window = await read(`x\n${"é".repeat(1_000_000)}\ny`, { firstLine: 2, maxLines: 2 });
    expect(window.lines).toEqual(["é".repeat(2000), "y"]);
    expect(window.cutLines).toEqual([{ line: 2, cutCharacters: 998_000 }]);
  });
});

describe("encodings", () => {
  const utf16 = (text: string, bigEndian: boolean) => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return bigEndian ? bytes.swap16() : bytes;
  };

  test.each([false, true])("UTF-16 with a mark is read (big end first: %s)", async (bigEndian) => {
    const window = await read(utf16("héllo\r\n世界😀\n", bigEndian));
    expect(window.lines).toEqual(["héllo", "世界😀"]);
  });

  test.each([
    ["a byte that no UTF-8 has", [0x61, 0xff, 0x62]],
    ["a character that the end cuts", [0x61, 0xe4, 0xb8]],
    ["a character that a line end cuts", [0x61, 0xc3, 0x0a, 0xa9]],
    ["half a pair in UTF-16", [0xff, 0xfe, 0x00, 0xd8]],
  ])("%s is not text", async (_title, bytes) => {
    await expect(read(Buffer.from(bytes))).rejects.toMatchObject({ code: "not-text" });
  });

  test("bytes outside the window that cannot be decoded do not matter", async () => {
    const content = Buffer.concat([Buffer.from("a\nb\n"), Buffer.from([0xff, 0x0a]), Buffer.from("c\n")]);
    expect(await read(content, { firstLine: 1, maxLines: 2 })).toMatchObject({
      lines: ["a", "b"],
      totalLines: 4,
    });
    expect(await read(content, { firstLine: 4, maxLines: 2 })).toMatchObject({ lines: ["c"] });
  });
});

describe("binary content", () => {
  test.each([
    ["a NUL", "abc\0def", "binary data, 7 bytes"],
    ["a PDF without a NUL", "%PDF-1.7\nplain words", "PDF document, 20 bytes"],
    ["a PNG", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"), "PNG image, 16 bytes"],
    ["a JPEG without a NUL", Buffer.from("\xff\xd8\xff\xe1Exif", "latin1"), "JPEG image, 8 bytes"],
    ["a program", Buffer.from("\x7fELF\x02\x01\x01\0"), "ELF program, 8 bytes"],
  ])("is refused with its type and size: %s", async (_title, content, said) => {
    await expect(read(content)).rejects.toMatchObject({
      code: "binary-file",
      message: expect.stringContaining(said),
    });
  });

  test("is not guessed from words that some formats begin with", async () => {
    expect(await read("GIF89a is a format\nMZ too")).toMatchObject({
      lines: ["GIF89a is a format", "MZ too"],
    });
  });

  test("a NUL after the first 512 bytes does not count", async () => {
    expect(await read(`${"a".repeat(512)}\0`)).toMatchObject({ totalLines: 1 });
  });

  test("is described by its type", async () => {
    const { files } = await temporaryWorkspace({ "a.pdf": "%PDF-1.7", "b.txt": "b", "c.bin": "\0" });
    expect(await files.describe("a.pdf")).toEqual({
      path: "a.pdf",
      sizeBytes: 8,
      mediaType: "application/pdf",
    });
    expect(await files.describe("b.txt")).toMatchObject({ mediaType: "text/plain" });
    expect(await files.describe("c.bin")).toMatchObject({ mediaType: "application/octet-stream" });
  });
});

describe("a path that cannot be read", () => {
  test("a directory is said to be one", async () => {
    const { files } = await temporaryWorkspace({ "sub/a.txt": "a" });
    await expect(files.readLines("sub", all)).rejects.toMatchObject({
      code: "is-directory",
      hint: expect.stringContaining("ls"),
    });
  });

  test("a missing file comes with the names that are near", async () => {
    const { files } = await temporaryWorkspace({ "src/settings.ts": "", "src/main.ts": "" });
    await expect(files.readLines("src/setings.ts", all)).rejects.toMatchObject({
      code: "not-found",
      hint: "Did you mean src/settings.ts?",
    });
    await expect(files.readLines("scr/main.ts", all)).rejects.toMatchObject({ hint: "Did you mean src?" });
    await expect(files.readLines("zzzzzz", all)).rejects.toMatchObject({
      hint: expect.stringContaining("List its folder"),
    });
  });

  test("a file that the user may not read is said to be denied", async () => {
    const { base, root, files } = await temporaryWorkspace({ "closed.txt": "a" });
    await Promise.all([chmod(base, 0o755), chmod(root, 0o755), chmod(join(root, "closed.txt"), 0)]);
    await asOrdinaryUser(() =>
      expect(files.readLines("closed.txt", all)).rejects.toMatchObject({ code: "access-denied" }),
    );
  });

  test("nothing is read once the call is over", async () => {
    const { workspace, scope } = await temporaryWorkspace({ "a.txt": "a" });
    const reason = new Error("over");
    const files = workspace.files({ ...scope, signal: AbortSignal.abort(reason) });
    await expect(files.readLines("a.txt", all)).rejects.toBe(reason);
  });
});
