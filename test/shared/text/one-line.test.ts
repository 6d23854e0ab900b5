import { expect, test } from "vitest";
import { cleanLine, oneLine } from "../../../src/shared/text/one-line.ts";

test("a text becomes one line, and what would hide or obey is written out", () => {
  expect(oneLine("  a\n\n- b:\tc\r\n", 100)).toBe("a - b: c");
  expect(oneLine("a\u202eb\u001b[31m", 100)).toBe("a\\u{202e}b\\u{1b}[31m");
});

test("a long text is cut and says so, without half a character", () => {
  expect(oneLine("abcdefghij", 10)).toBe("abcdefghij");
  expect(oneLine("abcdefghijk", 10)).toBe("abcdefg...");
  expect(oneLine("abcdef🦊🦊🦊", 10)).toBe("abcdef...");
  expect(oneLine("x ".repeat(10_000_000), 20)).toHaveLength(20);
  expect(oneLine(`${" ".repeat(1000)}late`, 10)).toBe("...");
});

test.each([
  ["  one\n\n two\tthree\u2028four ", "one two three four"],
  ["a\u001b[31mb\u0000\u0007\u202ec\u200bd\u{e0041}", "a[31mbcd"],
  ["\ud800 lone", "lone"],
  ["处理 é 👩", "处理 é 👩"],
  ["", ""],
])("%j becomes one line that shows all it holds", (text, line) => {
  expect(cleanLine(text, 100)).toBe(line);
});

test("a text that is too long is cut between characters, and says so", () => {
  expect(cleanLine("👩".repeat(20), 10)).toBe(`${"👩".repeat(9)}…`);
  expect(cleanLine("x".repeat(2 ** 24), 10)).toBe(`${"x".repeat(9)}…`);
  expect(cleanLine(`${" ".repeat(1000)}x`, 10)).toBe("…");
});
