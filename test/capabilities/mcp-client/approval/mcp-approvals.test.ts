import { expect, test } from "vitest";
import { foldLines } from "../../../../src/capabilities/mcp-client/approval/mcp-approvals.ts";

const json = (value: unknown) => JSON.stringify(value, undefined, 2);

test("a short line of an approval stays as it is", () => {
  const text = json({ description: "Reads", inputSchema: { type: "object" } });
  expect(foldLines(text)).toBe(text);
});

test("a string in an approval is broken at its line breaks, and after a word where it is long", () => {
  const folded = foldLines(json({ text: `one\ntwo \\n ${"word ".repeat(30)}` })).split("\n");
  expect(folded[1]).toBe('  "text": "one\\n');
  expect(folded[2]).toMatch(/^ {6}two \\\\n (?:word )+$/);
  expect(folded[3]).toMatch(/^ {6}word (?:word )+"$/);
});

test.each([
  ["words", "some words of a text, ".repeat(1000)],
  ["no spaces", "x".repeat(10_000)],
  ["line breaks", "\n".repeat(1000)],
  ["escapes", '\\"\u0001\u007f\t\\n'.repeat(1000)],
  ["characters of two halves", "👩‍💻".repeat(1000)],
])("folding %s loses nothing, leaves no line long and cuts no escape", (_what, text) => {
  const whole = json(text);
  const lines = foldLines(whole).split("\n");
  expect(lines.map((line, index) => (index === 0 ? line : line.slice(4))).join("")).toBe(whole);
  for (const line of lines) {
    expect(line.length).toBeLessThan(1500);
    expect(line.isWellFormed()).toBe(true);
    expect(line.replace(/\\u[\da-f]{4}|\\["\\/bfnrt]/g, "")).not.toContain("\\");
  }
});
