import { expect, test } from "vitest";
import { capText, cleanText } from "../../../src/shared/text/clean-text.ts";

test.each([
  ["plain", "plain"],
  ["zwei\nZeilen\tund mehr", "zwei\nZeilen\tund mehr"],
  ["\u001b[31mred\u001b[0m", "red"],
  ["\u001b]8;;http://evil\u0007link\u001b]8;;\u0007", "link"],
  ["a\u0000b\u0085c\u009b1md", "abcd"],
  ["\u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c", "evil x "],
  ["a\u200bb\ufeffc\u2060d", "abcd"],
  ["tag\u{e0048}\u{e0049}", "tag"],
  ["x\u{e0100}y", "xy"],
  ["line\u2028para\u2029", "linepara"],
  ["lone \ud800 surrogate", "lone  surrogate"],
  ["👩\u200d💻", "👩\u200d💻"],
  ["می\u200cخواهم", "می\u200cخواهم"],
  ["a\u200d\u200d\u200db", "ab"],
  ["中文\u3000空格", "中文\u3000空格"],
])("%j becomes %j", (text, cleaned) => {
  expect(cleanText(text)).toBe(cleaned);
  expect(cleanText(cleaned)).toBe(cleaned);
});

test("text is cut at the end of a character, and says so", () => {
  expect(capText("äöü", 6)).toBe("äöü");
  expect(capText("äöü", 5)).toBe("äö… [cut from 6 bytes]");
  expect(capText("👩👩", 7)).toBe("👩… [cut from 8 bytes]");
});
