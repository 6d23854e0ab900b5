import { expect, test } from "vitest";
import { quoteControls } from "../../../src/shared/text/quote-controls.ts";

test("a name stays as it is unless something in it would be obeyed or break the line", () => {
  for (const name of ['a "b" ü.md', "app/(shop)/page.tsx", "❤️.md"]) expect(quoteControls(name)).toBe(name);
  expect(quoteControls("a\nb")).toBe('"a\\nb"');
  expect(quoteControls("\u001b[2J")).toBe('"\\u001b[2J"');
});

test("a quoted name can be read back, and holds no control or hidden character and no line break of any kind", () => {
  const breaking = ["a\u0085b", "\u009b31m", "\u007f", "a\u2028- b", "a\u2029b", "\n\u2028"];
  const hidden = ["a\u202etxt", "\u200b", "\u{e0041}b", "\u{1d173}"];
  const posing = ["(Showing 1-2 of 9.)", '"a"'];
  for (const name of [...breaking, ...hidden, ...posing]) {
    expect(quoteControls(name)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(quoteControls(name)).toMatch(/^"/);
    expect(JSON.parse(quoteControls(name))).toBe(name);
  }
});
