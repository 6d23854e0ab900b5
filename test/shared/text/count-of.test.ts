import { expect, test } from "vitest";
import { countOf } from "../../../src/shared/text/count-of.ts";

test("one is one, all else are several, and thousands can be read", () => {
  expect([0, 1, 2, 1200].map((amount) => countOf(amount, "step"))).toEqual([
    "0 steps",
    "1 step",
    "2 steps",
    "1,200 steps",
  ]);
});
