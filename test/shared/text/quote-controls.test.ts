import { expect, test } from "vitest";
import { quoteControls } from "../../../src/shared/text/quote-controls.ts";

test("a name stays as it is unless something in it would be obeyed or break the line", () => {
  expect(quoteControls('a "b" ü.md')).toBe('a "b" ü.md');
  expect(quoteControls("a\nb")).toBe('"a\\nb"');
  expect(quoteControls("\u001b[2J")).toBe('"\\u001b[2J"');
});

test("it can be read back, and holds no control character and no line break of any kind", () => {
  for (const name of ["a\u0085b", "\u009b31m", "\u007f", "a\u2028- b", "a\u2029b", "\n\u2028"]) {
    expect(quoteControls(name)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(quoteControls(name))).toBe(name);
  }
});
