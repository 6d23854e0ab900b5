import { expect, test } from "vitest";
import { findJsonExcess } from "../../../src/shared/json-rpc/find-json-excess.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";

const limits = { maxDepth: 5, maxValues: 20, maxNames: 20 };

/** What the text's value is, counted from the value itself. */
function measure(value: unknown): { depth: number; values: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, values: 0 };
  const inner = Object.values(value);
  const all = inner.map(measure);
  return {
    depth: 1 + Math.max(0, ...all.map(({ depth }) => depth)),
    values: inner.length + all.reduce((sum, { values }) => sum + values, 0),
  };
}

test("a text is refused for its depth exactly when its value is too deep", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.boolean(), (value, isIndented) => {
      const { depth } = measure(value);
      const text = JSON.stringify(value, null, isIndented ? 2 : 0);
      const excess = findJsonExcess(text, { maxDepth: 5, maxValues: 1e9, maxNames: 1e9 });
      expect(excess !== undefined).toBe(depth > 5);
    }),
    { numRuns: fuzzRuns({ sample: 200, full: 20_000 }) },
  );
});

test("no value with too many items and properties gets through, and none with half as many is refused", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const { values } = measure(value);
      const excess = findJsonExcess(JSON.stringify(value), { maxDepth: 100, maxValues: 20, maxNames: 1e9 });
      if (values > 20) expect(excess).toBe("it has more than 20 values");
      if (values < 10) expect(excess).toBeUndefined();
    }),
    { numRuns: fuzzRuns({ sample: 200, full: 20_000 }) },
  );
});

test("different names of properties are counted on their own, since each takes the parser longer", () => {
  const wide = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, namedA)));
  const few = { ...limits, maxNames: 3 };
  expect(findJsonExcess(wide(3), few)).toBeUndefined();
  expect(findJsonExcess(wide(4), few)).toBe("it has more than 3 different names");
  expect(findJsonExcess(JSON.stringify(["a:b:c:d:e"]), few)).toBeUndefined();
  expect(findJsonExcess(JSON.stringify(Array.from({ length: 9 }, () => ({ a: 1 }))), few)).toBeUndefined();
});

const namedA = (_: unknown, index: number) => [`a${index}`, index];

test.each([
  ["brackets in strings", JSON.stringify({ a: "[[[[[[[[[{{{{{{{{,,,,,,,,,,,,,,,,,,,,,,,,,,," })],
  ["escaped quotes", JSON.stringify(['\\"[[[[[[[[[[', "\\\\", '"[[[[[[[['])],
  ["a text that is no JSON", "not json at all"],
])("%s do not count", (_what, text) => {
  expect(findJsonExcess(text, limits)).toBeUndefined();
});

test("brackets that are never closed are refused as well", () => {
  expect(findJsonExcess("[".repeat(6), limits)).toBe("it is nested more than 5 deep");
  expect(findJsonExcess(`"${"[".repeat(100)}`, limits)).toBeUndefined();
});
