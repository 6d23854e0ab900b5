import { expect, test } from "vitest";
import { plainText } from "../../../src/shared/text/plain-text.ts";

test.each([
  ["ordinary text with é, 漢字 and 🙂\n\ttabs", "ordinary text with é, 漢字 and 🙂\n\ttabs"],
  ["\x1b[1;31mred\x1b[0m and \x1b[38;2;1;2;3mmore\x1b[m", "red and more"],
  ["\x9b31mred\x9b0m", "red"],
  ["\x1b]0;title\x07text", "text"],
  ["\x1b]52;c;c2VjcmV0\x1b\\text", "text"],
  ["\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "link"],
  ["\x9d0;title\x9ctext", "text"],
  ["\x1bP1$r0m\nmore\x1b\\text", "text"],
  ["\x1b_application\x1b\\\x1b^private\x1b\\\x1bXstring\x1b\\text", "text"],
  ["\x1b(B\x1b)0\x1b=\x1b>\x1b7\x1b8\x1bctext", "text"],
  ["a\x00b\x07c\x0bd\x0ce\x7ff\x85g", "abcdefg"],
  ["line\r\nline\r\r\nline", "line\nline\nline"],
  ["10%\r50%\r100%\ndone\n", "100%\ndone\n"],
  ["10%\x1b[K\r50%\x1b[K\r", "50%"],
  ["N\bNA\bAM\bME\bE _\bx", "NAME x"],
  ["🙂\b!", "!"],
  ["cut off \x1b[3", "cut off "],
  ["cut off \x1b", "cut off "],
])("%j reads %j", (given, expected) => {
  expect(plainText(given)).toBe(expected);
});

test("a string for the terminal that never ends hides its own line and no more", () => {
  expect(plainText("before\x1b]0;hidden\nafter\nend")).toBe("before\nafter\nend");
});
