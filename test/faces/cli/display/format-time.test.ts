import { expect, test } from "vitest";
import { formatDuration, formatElapsed } from "../../../../src/faces/cli/display/format-time.ts";

test.each([
  [0.4, "0 ms"],
  [999, "999 ms"],
  [1000, "1.0 s"],
  [59_940, "59.9 s"],
  [60_000, "1 min 0 s"],
  [3_599_999, "59 min 59 s"],
  [3_600_000, "1 h 0 min"],
  [100 * 3_600_000, "100 h 0 min"],
])("%d milliseconds are told as %s", (durationMs, told) => {
  expect(formatDuration(durationMs)).toBe(told);
});

test("elapsed time is shown in whole seconds", () => {
  expect([1999, 61_000].map(formatElapsed)).toEqual(["1 s", "1 min 1 s"]);
});
