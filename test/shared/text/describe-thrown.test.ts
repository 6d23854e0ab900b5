import { expect, test } from "vitest";
import { describeThrown } from "../../../src/shared/text/describe-thrown.ts";

const circle: Record<string, unknown> = {};
circle.circle = circle;

test.each<[unknown, string]>([
  [new Error("no network"), "no network"],
  ["no network", "no network"],
  [{ message: "no network" }, "no network"],
  [undefined, "undefined was thrown"],
  [null, "null was thrown"],
  [7, "7 was thrown"],
  [Symbol("odd"), "Symbol(odd) was thrown"],
  ["", "an empty text was thrown"],
  [new Error(""), "an error without a message was thrown"],
  [() => {}, "a function was thrown"],
  [{ code: 5 }, '{"code":5} was thrown'],
  [circle, "a value was thrown that cannot be read"],
])("%o is described", (thrown, words) => {
  expect(describeThrown(thrown)).toBe(words);
});
