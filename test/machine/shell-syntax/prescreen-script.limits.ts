import { expect, test } from "vitest";
import { prescreenScript } from "../../../src/machine/shell-syntax/prescreen-script.ts";

test("a command of a megabyte is refused before anything looks through it", () => {
  const text = `echo ${"A".repeat(1_000_000)}`;
  const tries = Array.from({ length: 20 }, () => {
    const startedMs = performance.now();
    prescreenScript(text);
    return performance.now() - startedMs;
  });
  expect(Math.min(...tries)).toBeLessThan(0.5);
});
