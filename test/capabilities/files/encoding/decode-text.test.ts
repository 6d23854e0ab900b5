import { expect, test } from "vitest";
import { decodeText } from "../../../../src/capabilities/files/encoding/decode-text.ts";
import { encodeText } from "../../../../src/capabilities/files/encoding/encode-text.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";

const numRuns = fuzzRuns({ sample: 150, full: 20_000 });
const mark = "\ufeff";

test("decodeText tells what a text is like", () => {
  expect(decodeText(Buffer.from("a\nb\n"))).toEqual({
    text: "a\nb\n",
    shape: { encoding: "utf-8", hasBom: false, lineEnding: "lf", endsWithNewline: true },
  });
  expect(decodeText(Buffer.from(`${mark}a\r\nb`))).toEqual({
    text: "a\r\nb",
    shape: { encoding: "utf-8", hasBom: true, lineEnding: "crlf", endsWithNewline: false },
  });
});

test.each([
  ["a", "lf"],
  ["a\nb\n", "lf"],
  ["a\r\nb\r\n", "crlf"],
  ["a\rb", "cr"],
  ["a\r\nb\n", "mixed"],
  ["a\r\nb\r", "mixed"],
  ["a\rb\n", "mixed"],
  ["a\r\nb\rc\n", "mixed"],
  ["a\r\nb\r\r\n", "mixed"],
  ["a\n\rb", "mixed"],
])("the line endings of %j are %s", (text, lineEnding) => {
  expect(decodeText(Buffer.from(text)).shape.lineEnding).toBe(lineEnding);
});

test("UTF-16 is recognised by its mark, in either order", () => {
  const little = Buffer.from(`${mark}é€😀`, "utf16le");
  const big = Buffer.from(little).swap16();
  expect(decodeText(little)).toMatchObject({ text: "é€😀", shape: { encoding: "utf-16le", hasBom: true } });
  expect(decodeText(big)).toMatchObject({ text: "é€😀", shape: { encoding: "utf-16be", hasBom: true } });
});

test("a second byte order mark is a character like any other", () => {
  expect(decodeText(Buffer.from(`${mark}${mark}a`)).text).toBe(`${mark}a`);
});

test.each([
  ["a byte that is no UTF-8", [0x61, 0xff]],
  ["a cut character", [0x61, 0xe2, 0x82]],
  ["a surrogate in UTF-8", [0xed, 0xa0, 0x80]],
  ["half of a UTF-16 unit", [0xff, 0xfe, 0x61]],
  ["a lone surrogate in UTF-16", [0xff, 0xfe, 0x3d, 0xd8]],
])("text with %s is refused", (_what, bytes) => {
  expect(() => decodeText(Uint8Array.from(bytes), { path: "a.txt" })).toThrow(
    expect.objectContaining({ code: "not-text", message: expect.stringContaining("a.txt is not valid") }),
  );
});

test("other encodings are read when they are named", () => {
  expect(decodeText(Uint8Array.of(0x80, 0xe9), { encoding: "latin1" })).toMatchObject({
    text: "€é",
    shape: { encoding: "windows-1252", hasBom: false },
  });
  expect(decodeText(Uint8Array.of(0x83, 0x65), { encoding: "Shift_JIS" }).text).toBe("テ");
  expect(() => decodeText(Uint8Array.of(0x61), { encoding: "klingon" })).toThrow(
    expect.objectContaining({ code: "invalid-input" }),
  );
  expect(() => decodeText(Uint8Array.of(0x83), { encoding: "shift_jis" })).toThrow(
    expect.objectContaining({ code: "not-text" }),
  );
});

test("a mark wins over a named encoding that has marks, and is text in one that has none", () => {
  const bytes = Buffer.from(`${mark}a`);
  expect(decodeText(bytes, { encoding: "utf-16le" }).shape.encoding).toBe("utf-8");
  expect(decodeText(bytes, { encoding: "latin1" }).text).toBe("ï»¿a");
});

test("characters that an encoding cannot represent are refused, never replaced", () => {
  const shape = { encoding: "windows-1252", hasBom: false };
  expect(encodeText("€é", shape)).toEqual(Buffer.from([0x80, 0xe9]));
  expect(() => encodeText("日", shape)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  expect(() => encodeText("\ud83d", { encoding: "utf-8", hasBom: false })).toThrow(
    expect.objectContaining({ code: "invalid-input" }),
  );
  expect(() => encodeText("a", { encoding: "shift_jis", hasBom: false })).toThrow(
    expect.objectContaining({ code: "unsupported" }),
  );
});

test("any bytes that can be read are written back the very same", () => {
  const anyText = fc.string({
    unit: fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom("\r", "\n", mark),
    ),
  });
  const encoded = fc
    .tuple(anyText, fc.constantFrom("utf-8", "utf-16le", "utf-16be"), fc.boolean())
    .map(([text, encoding, hasBom]) => ({ bytes: encodeText(text, { encoding, hasBom }), encoding }));
  const raw = fc
    .tuple(fc.uint8Array(), fc.constantFrom("utf-8", "utf-16le", "utf-16be", "windows-1252"))
    .map(([bytes, encoding]) => ({ bytes: Buffer.from(bytes), encoding }));
  fc.assert(
    fc.property(fc.oneof(encoded, raw), ({ bytes, encoding }) => {
      let decoded: ReturnType<typeof decodeText>;
      try {
        decoded = decodeText(bytes, { encoding });
      } catch (error) {
        expect(error).toMatchObject({ code: "not-text" });
        return;
      }
      expect(encodeText(decoded.text, decoded.shape)).toEqual(bytes);
    }),
    { numRuns },
  );
});

test("every byte of windows-1252 is the character that the standard says", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const { text, shape } = decodeText(bytes, { encoding: "windows-1252" });
  // Not by TextDecoder: that of Node 22 takes these for Latin-1.
  const special = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
  expect(text).toBe(
    Buffer.from(bytes)
      .toString("latin1")
      .replace(/[\u0080-\u009f]+/, special),
  );
  expect(encodeText(text, shape)).toEqual(Buffer.from(bytes));
});
