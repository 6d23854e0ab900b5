import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLineReporter } from "../../../../src/capabilities/processes/output/report-lines.ts";
import { countOf } from "../../../../src/shared/text/count-of.ts";

// Only the clock is fake, so that the test need not wait a second.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const seen: string[] = [];
  const reporter = createLineReporter({ report: (text) => seen.push(text), isBinary: () => false });
  return { seen, end: () => reporter.end(), add: (text: string | Buffer) => reporter.add(Buffer.from(text)) };
}

test("the first line comes at once, further ones together", () => {
  const { seen, add } = open();
  add("one\n");
  expect(seen).toEqual(["one\n"]);
  add("two\n");
  add("three\n");
  expect(seen).toEqual(["one\n"]);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual(["one\n", "two\nthree\n"]);
});

test("a line is not reported before it ends, unless that takes long", () => {
  const { seen, add } = open();
  add("one\nhal");
  expect(seen).toEqual(["one\n"]);
  vi.advanceTimersByTime(500);
  add("f\n");
  expect(seen).toEqual(["one\n", "half\n"]);
  add("prompt: ");
  vi.advanceTimersByTime(999);
  expect(seen).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(seen.at(-1)).toBe("prompt: ");
});

test("a part of a line holds back half a character and half a control sequence", () => {
  const { seen, add } = open();
  add(Buffer.concat([Buffer.from("a"), Buffer.from("🙂").subarray(0, 3)]));
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual(["a"]);
  add(Buffer.from("🙂").subarray(3));
  add("\x1b[3");
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual(["a", "🙂"]);
  add("1mred\n");
  vi.advanceTimersByTime(1000);
  expect(seen.join("")).toBe("a🙂red\n");
});

test("too much output is reported from a whole line on, with the number of bytes not shown", () => {
  const { seen, add, end } = open();
  add("first\n");
  const lines = Array.from({ length: 10_000 }, (_, number) => `line ${number}\n`).join("");
  add(lines);
  end();
  const [note, ...rest] = seen[1]!.split("\n");
  const shown = rest.join("\n");
  expect(note).toBe(`[${countOf(lines.length - shown.length, "byte")} not shown]`);
  expect(lines.endsWith(shown)).toBe(true);
  expect(shown).toMatch(/^line \d+\n/);
  expect(shown.length).toBeLessThanOrEqual(16 * 1024);
});

test("the end reports what is left, and nothing after it", () => {
  const { seen, add, end } = open();
  add("half");
  end();
  vi.advanceTimersByTime(5000);
  expect(seen).toEqual(["half"]);
});
