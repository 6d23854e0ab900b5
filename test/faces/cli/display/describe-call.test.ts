import { expect, test } from "vitest";
import { describeStart, formatDiff, summarize } from "../../../../src/faces/cli/display/describe-call.ts";

const plain = (_style: unknown, text: string) => text;

test("a call is summarized by its first string, in one short escaped line", () => {
  expect(summarize({ limit: 3, path: "a\nb\u001b[2J", pattern: "x" }, "/w")).toBe("a\\nb\\u{1b}[2J");
  expect(summarize({ limit: 3 }, "/w")).toBe('{"limit":3}');
  expect(summarize({}, "/w")).toBe("");
  expect(summarize({ text: "x".repeat(1_000_000) }, "/w")).toBe(`${"x".repeat(79)}…`);
});

test.each([77, 78, 79, 80])("no character is cut in half after %i others", (length) => {
  const summary = summarize(`${"x".repeat(length)}😀😀`, "/w");
  expect(summary.length).toBeLessThanOrEqual(80);
  expect(summary).toMatch(/^x+(?:😀)*…$/);
});

test("of a long diff the beginning is shown, and of a long line too", () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `+line ${index}`);
  const long = formatDiff(["Wrote it.", "@@ -0,0 +1,100000 @@", ...lines].join("\n"), plain);
  expect(long).toHaveLength(41);
  expect(long.slice(0, 2)).toEqual(["  @@ -0,0 +1,100000 @@", "  +line 0"]);
  expect(long.at(-1)).toBe("  … and more");
  const [, wide = ""] = formatDiff(`@@ -0,0 +1,1 @@\n+${"x".repeat(1_000_000)}`, plain);
  expect(wide.length).toBeLessThan(600);
  expect(formatDiff("nothing of the kind", plain)).toEqual([]);
});

test("a running call has the same name as when it has ended", () => {
  const input = { path: "a.txt" };
  expect(describeStart({ tool: "file_read", calledAs: "Read", input }, "/w")).toBe("Read a.txt");
  expect(describeStart({ tool: "file_read", input }, "/w")).toBe("file_read a.txt");
});
