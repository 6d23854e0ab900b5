import { expect, test } from "vitest";
import { toCanonicalValue, toDialectValue } from "../../../src/kernel/dialects/dialect-value.ts";
import { fc } from "../../support/fuzz.ts";

const param = fc.record(
  {
    countsFrom: fc.constantFrom(0 as const, 1 as const),
    unit: fc.constantFrom("seconds" as const, "milliseconds" as const),
  },
  { requiredKeys: [] },
);

test("a number told in a dialect and taken back is the same number", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), param, (value, each) => {
      expect(toCanonicalValue(toDialectValue(value, each), each)).toBe(value);
    }),
  );
});

test("every number of whole milliseconds survives being written in seconds", () => {
  const survives = (milliseconds: number) =>
    toCanonicalValue(toDialectValue(milliseconds, { unit: "seconds" }), { unit: "seconds" }) === milliseconds;
  const range = Array.from({ length: 600_001 }, (_, milliseconds) => milliseconds);
  expect(range.filter((milliseconds) => !survives(milliseconds))).toEqual([]);
});

test("seconds become exact milliseconds where multiplying would not", () => {
  expect(1.001 * 1000).not.toBe(1001);
  expect(toCanonicalValue(1.001, { unit: "seconds" })).toBe(1001);
  expect(toCanonicalValue(1e-7, { unit: "seconds" })).toBe(0.0001);
  expect(toCanonicalValue(1e21, { unit: "seconds" })).toBe(1e24);
});

test("the first line is 0 in a dialect that counts from 0", () => {
  expect(toDialectValue(1, { countsFrom: 0 })).toBe(0);
  expect(toCanonicalValue(0, { countsFrom: 0 })).toBe(1);
});

test("a value that is not a number is not converted", () => {
  expect(toCanonicalValue("12", { unit: "seconds", countsFrom: 0 })).toBe("12");
  expect(toDialectValue(null, { unit: "seconds" })).toBe(null);
});

test("a number that needs no conversion stays the very same", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-9 }), (value) => {
      expect(toCanonicalValue(value, {})).toBe(value);
      expect(toDialectValue(value, {})).toBe(value);
    }),
  );
});
