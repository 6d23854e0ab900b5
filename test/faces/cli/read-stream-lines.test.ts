import { expect, test } from "vitest";
import { readStreamLines, TooLongLine } from "../../../src/faces/cli/commands/explain-batch.ts";
import { fc } from "../../support/fuzz.ts";

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function linesOf(text: string, size: number): Promise<(string | TooLongLine)[]> {
  const lines: (string | TooLongLine)[] = [];
  for await (const line of readStreamLines(inChunks(new TextEncoder().encode(text), size))) lines.push(line);
  return lines;
}

test("the lines are the same however the bytes are cut", async () => {
  const line = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/[\n\ufeff]/.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 7 }), async (lines, size) => {
      expect(await linesOf(lines.join("\n"), size)).toEqual(lines);
    }),
  );
});

test("an empty line is a line, and what ends with a line break has no line after it", async () => {
  expect(await linesOf("a\n\nb\n", 3)).toEqual(["a", "", "b"]);
  expect(await linesOf("", 3)).toEqual([]);
});

test("a line that never ends is not kept, and the next one is read again", async () => {
  const endless = "x".repeat(9 * 1024 * 1024);
  const [first, second, third] = await linesOf(`a\n${endless}\nb`, 65_536);
  expect(first).toBe("a");
  expect(second).toBeInstanceOf(TooLongLine);
  expect(third).toBe("b");
});
