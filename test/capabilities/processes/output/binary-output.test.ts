import { execFileSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { binaryKind } from "../../../../src/capabilities/processes/output/capture-stream.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["ELF", bytes("\x7fELF\x02\x01\x01")],
  ["PNG", bytes("\x89PNG\r\n\x1a\n")],
  ["JPEG", bytes("\xff\xd8\xff\xe0")],
  ["PDF", bytes("%PDF-1.7\n")],
  ["GIF", bytes("GIF89a")],
  ["GIF", bytes("GIF87a")],
  ["GZIP", gzipSync("text")],
  ["ZIP", bytes("PK\x03\x04")],
  ["TAR", execFileSync("tar", ["-cf", "-", "-C", import.meta.dirname, "binary-output.test.ts"])],
  ["WASM", bytes("\0asm\x01\0\0\0")],
  ["Mach-O 32", bytes("\xce\xfa\xed\xfe")],
  ["Mach-O 32", bytes("\xfe\xed\xfa\xce")],
  ["Mach-O 64", bytes("\xcf\xfa\xed\xfe")],
  ["Mach-O 64", bytes("\xfe\xed\xfa\xcf")],
  ["BMP", bytes("BM\x36\x01\x01\x01\0\0\0\0\x36\x01")],
  ["WEBP/RIFF", bytes("RIFF\x24\x01\x01\x01WEBPVP8 ")],
  ["NUL bytes", bytes("some text\0more")],
  ["not UTF-8", bytes("caf\xe9 au lait")],
])("output of the kind %s is recognised", (kind, head) => {
  expect(binaryKind(head)).toBe(kind);
});

test.each([
  "",
  "ordinary text",
  "BMW is a car, BM is not a picture",
  "RIFF is short for something",
  "é".repeat(600),
  "漢".repeat(600),
  `a${"🙂".repeat(600)}`,
  `${"a".repeat(511)}é`,
])("text %# is not binary output", (text) => {
  expect(binaryKind(Buffer.from(text))).toBeUndefined();
});

test("half a character at the end does not make output binary", () => {
  expect(binaryKind(Buffer.from("🙂").subarray(0, 2))).toBeUndefined();
});

test("bytes after the first 512 are not looked at", () => {
  expect(binaryKind(Buffer.concat([Buffer.alloc(512, "a"), Buffer.from([0, 0xff])]))).toBeUndefined();
});
