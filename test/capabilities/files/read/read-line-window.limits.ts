import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "../temporary-workspace.ts";

const all = { firstLine: 1, maxLines: 1_000_000 };

test("long lines do not take memory with their length", async () => {
  const { root, files } = await temporaryWorkspace({ "a.txt": "x".repeat(1024) });
  const handle = await open(join(root, "a.txt"), "a");
  const block = Buffer.alloc(8 * 2 ** 20, "y");
  for (let written = 0; written < 16; written++) await handle.write(block);
  await handle.close();
  const before = process.memoryUsage();
  const window = await files.readLines("a.txt", all);
  const after = process.memoryUsage();
  expect(window.cutLines).toEqual([{ line: 1, cutCharacters: 16 * block.length + 1024 - 2000 }]);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(32 * 2 ** 20);
});
