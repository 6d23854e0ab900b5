import { expect, test } from "vitest";
import { escapeControls, escapeLine } from "../../../src/shared/text/escape-controls.ts";
import { fc } from "../../support/fuzz.ts";

test.each([
  ["a\u001b[2Jb", "a\\u{1b}[2Jb"],
  ["a\u009b2Jb", "a\\u{9b}2Jb"],
  ["a\u007fb", "a\\u{7f}b"],
  ["safe\u202etxt.exe", "safe\\u{202e}txt.exe"],
  ["a\u2066b\u2069", "a\\u{2066}b\\u{2069}"],
  ["zero\u200bwidth\ufeff", "zero\\u{200b}width\\u{feff}"],
  ["tag\u{e0041}", "tag\\u{e0041}"],
  ["wide\u3000space\u00a0", "wide\\u{3000}space\\u{a0}"],
  ["line\u2028break", "line\\u{2028}break"],
  ["filler\u3164", "filler\\u{3164}"],
  ["back\rover", "back\\rover"],
  ["half\ud800", "half\\u{d800}"],
])("%j is shown as %s", (text, shown) => {
  expect(escapeControls(text)).toBe(shown);
});

test("ordinary text, line breaks and tabs stay", () => {
  const text = 'Grüße, 世界 😀\n\tindented (x) \\ "quoted"';
  expect(escapeControls(text)).toBe(text);
});

test("in a line of its own, line breaks and tabs are written out too", () => {
  expect(escapeLine("one\n\ttwo")).toBe("one\\n\\ttwo");
});

test("escaped text has no character that a terminal obeys or hides", () => {
  const anyText = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(anyText, (text) => {
      expect(escapeLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});
