import { expect, test } from "vitest";
import { compileGlob } from "../../../src/shared/glob/compile-glob.ts";

test("no pattern can hold up the process", () => {
  const matches = compileGlob(`${"**/".repeat(300)}${"*a".repeat(1000)}*b`);
  const startedMs = performance.now();
  for (let count = 0; count < 100; count += 1)
    expect(matches(`${"aa/".repeat(50)}${"a".repeat(250)}`)).toBe(false);
  // A backtracking matcher would not come back at all.
  expect(performance.now() - startedMs).toBeLessThan(5000);
});
