import { expect, test } from "vitest";
import { createMessageLines } from "../../../src/shared/json-rpc/message-lines.ts";

function readLines(text: string, { maxBytes, chunkBytes }: { maxBytes: number; chunkBytes: number }) {
  const lines: string[] = [];
  const skipped: { head: string; tail: string; bytes: number }[] = [];
  const reader = createMessageLines(maxBytes, {
    onLine: (line) => lines.push(line),
    onSkipped: (ends) => skipped.push(ends),
  });
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    reader.push(bytes.subarray(start, start + chunkBytes));
  }
  return { lines, skipped };
}

test.each([1, 2, 3, 7, 1000])(
  "lines are the same in chunks of %i bytes, with characters cut in two",
  (chunkBytes) => {
    const { lines, skipped } = readLines("eins\nzwölf 👩‍💻\n\nhalf", { maxBytes: 100, chunkBytes });
    expect(lines).toEqual(["eins", "zwölf 👩‍💻", ""]);
    expect(skipped).toEqual([]);
  },
);

test.each([1, 10, 333, 100_000])(
  "a line that is too long is skipped in chunks of %i bytes, and the next one read",
  (chunkBytes) => {
    const long = `{"id":7,"text":"${"x".repeat(5000)}","end":8}`;
    const { lines, skipped } = readLines(`a\n${long}\nb\n`, { maxBytes: 1000, chunkBytes });
    expect(lines).toEqual(["a", "b"]);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]?.bytes).toBe(long.length);
    expect(skipped[0]?.head.startsWith('{"id":7,')).toBe(true);
    expect(skipped[0]?.tail).toBe(long.slice(-200));
  },
);
