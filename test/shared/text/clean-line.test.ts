import { expect, test } from "vitest";
import { cleanLine } from "../../../src/shared/text/clean-line.ts";

test.each([
  ["  one\n\n two\tthree\u2028four ", "one two three four"],
  ["a\u001b[31mb\u0000\u0007\u202ec\u200bd\u{e0041}", "a[31mbcd"],
  ["\ud800 lone", "lone"],
  ["处理 é 👩", "处理 é 👩"],
  ["", ""],
])("%j becomes one line that shows all it holds", (text, line) => {
  expect(cleanLine(text, 100)).toBe(line);
});

test("what is too long is cut between characters, and says so", () => {
  expect(cleanLine("👩".repeat(20), 10)).toBe(`${"👩".repeat(9)}…`);
  expect(cleanLine("x".repeat(2 ** 24), 10)).toBe(`${"x".repeat(9)}…`);
  expect(cleanLine(`${" ".repeat(1000)}x`, 10)).toBe("…");
});
