import { expect, test } from "vitest";
import { oneLine } from "../../../src/shared/text/one-line.ts";

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
