import { expect, test } from "vitest";
import { spliceBytes } from "../../../../src/capabilities/files/change/write-text.ts";
import { unifiedDiff } from "../../../../src/shared/diff/text-diff.ts";
import { applyEdits } from "../../../support/edit-text.ts";

const mark = "\ufeff";

test.each([
  ["plain text", "one two three\n", "two", "2"],
  ["nothing in its place", "one two three\n", "two ", ""],
  ["characters of two, three and four bytes", "ä € 😀 b € 😀 ü", "b", "ß 😀"],
  ["at the beginning", "😀a", "😀", "é"],
  ["at the end", "a😀", "😀", "é😀"],
])("splicing bytes gives the bytes that encoding the whole would: %s", (_what, before, oldText, newText) => {
  for (const bom of ["", mark]) {
    const { text, changes } = applyEdits(before, [{ oldText, newText }]);
    const parts = spliceBytes(Buffer.from(bom + before), changes[0]!, { before, after: text })!;
    expect(String(Buffer.concat(parts))).toBe(bom + text);
  }
});

test("a change that splits a character is left to a full encoding", () => {
  const before = "a😀b";
  const bytes = Buffer.from(before);
  const change = { start: 2, end: 3, newStart: 2, newEnd: 2 };
  expect(spliceBytes(bytes, change, { before, after: "a\ud83db" })).toBeUndefined();
  const half = { start: 0, end: 1, newStart: 0, newEnd: 1 };
  expect(spliceBytes(bytes, half, { before, after: "\ud83d😀b" })).toBeUndefined();
});

test("a diff is the same whether the change is known or has to be looked for", async () => {
  const random = createRandom(7);
  for (let round = 0; round < 500; round += 1) {
    const before = randomText(random, 60);
    const start = Math.floor(random() * before.length);
    const end = Math.min(before.length, start + Math.floor(random() * 12));
    const inserted = randomText(random, 8);
    const after = before.slice(0, start) + inserted + before.slice(end);
    const line = before.slice(0, start).split("\n").length;
    const within = { start, end, newStart: start, newEnd: start + inserted.length, line };
    expect(await unifiedDiff("a", before, after, { within })).toEqual(await unifiedDiff("a", before, after));
  }
});

/** Uses few different characters, so that different texts have much in common. */
function randomText(random: () => number, maxLength: number): string {
  const length = Math.floor(random() * maxLength);
  return Array.from({ length }, () => "ab\n\n"[Math.floor(random() * 4)]).join("");
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
