import { expect, test } from "vitest";
import { createByteBuffer } from "../../../src/shared/web/byte-buffer.ts";

test("a million pieces of one byte take no more than a few megabytes", () => {
  const before = process.memoryUsage().rss;
  const buffer = createByteBuffer();
  const piece = Buffer.from("x");
  for (let count = 0; count < 1_000_000; count += 1) buffer.push(piece);
  expect(buffer.length).toBe(1_000_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1024 * 1024);
});
