import { expect, test } from "vitest";
import { createByteBuffer } from "../../../src/shared/web/byte-buffer.ts";

test("pieces of any size come back as they were pushed, and then nothing is left", () => {
  const buffer = createByteBuffer();
  for (const piece of ["a", "", "bcd", "e".repeat(1000), "f"]) buffer.push(Buffer.from(piece));
  expect(buffer.length).toBe(1005);
  expect(buffer.take(Buffer.from("!")).toString()).toBe(`abcd${"e".repeat(1000)}f!`);
  expect(buffer.length).toBe(0);
  expect(buffer.take().toString()).toBe("");
  expect(buffer.take(Buffer.from("alone")).toString()).toBe("alone");
});
