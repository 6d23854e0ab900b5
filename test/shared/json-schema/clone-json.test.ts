import { describe, expect, test } from "vitest";
import { cloneJson, NotJsonError } from "../../../src/shared/json-schema/clone-json.ts";
import { fc } from "../../support/fuzz.ts";

test("any JSON comes back equal and shares nothing with the original", () => {
  const forbidden = /"(__proto__|constructor|prototype)":/;
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!forbidden.test(text));
      const value = JSON.parse(text);
      const copy = cloneJson(value);
      expect(copy).toEqual(value);
      if (typeof value === "object" && value !== null) expect(copy).not.toBe(value);
    }),
  );
});

describe("what is not JSON is refused with its path", () => {
  class Point {
    x = 1;
  }
  const cases: [string, unknown, string][] = [
    [
      "a class instance",
      { a: [new Point()] },
      "$.a[0] must be a JSON value; received an instance of a class",
    ],
    [
      "a date",
      { "the day": new Date(0) },
      '$["the day"] must be a JSON value; received an instance of a class',
    ],
    ["NaN", [Number.NaN], "$[0] must be a JSON value; received NaN"],
    ["Infinity", Number.NEGATIVE_INFINITY, "$ must be a JSON value; received -Infinity"],
    ["a function", { run() {} }, "$.run must be a JSON value; received a value of type function"],
    ["a bigint", { n: 1n }, "$.n must be a JSON value; received a value of type bigint"],
    ["a symbol", Symbol("s"), "$ must be a JSON value; received a value of type symbol"],
    ["nothing at all", undefined, "$ must be a JSON value; received a value of type undefined"],
    ["a hole in an array", new Array(1), "$[0] must be a JSON value; received a value of type undefined"],
    [
      "a __proto__ key",
      JSON.parse('{"a":{"__proto__":1}}'),
      "$.a must be a JSON value; received an object with the key __proto__",
    ],
    [
      "a constructor key",
      { constructor: 1 },
      "$ must be a JSON value; received an object with the key constructor",
    ],
    [
      "a prototype key",
      { prototype: 1 },
      "$ must be a JSON value; received an object with the key prototype",
    ],
  ];
  test.each(cases)("%s", (_what, value, message) => {
    expect(() => cloneJson(value)).toThrow(
      new NotJsonError(message.split(" must")[0]!, message.split("received ")[1]!),
    );
  });
});

test("a property that is undefined is left out, as JSON does", () => {
  const copy = cloneJson({ a: 1, limit: undefined });
  expect(Object.keys(copy as object)).toEqual(["a"]);
});

test("objects without a prototype are plain", () => {
  expect(cloneJson(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
});

test("a cycle ends in a refusal with a short path", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  cycle.again = [cycle];
  expect(() => cloneJson(cycle)).toThrow(/nested more than 100 deep/);
  expect(() => cloneJson(cycle)).toThrow(/^.{0,200}$/);
});

test("100 levels are fine and 102 are not", () => {
  const nest = (levels: number) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  expect(cloneJson(nest(100))).toEqual(nest(100));
  expect(() => cloneJson(nest(102))).toThrow(NotJsonError);
});

test("one part referred to over and over is refused once the copy grows beyond reason", () => {
  let value: unknown = {};
  for (let level = 0; level < 60; level++) value = [value, value];
  expect(() => cloneJson(value)).toThrow(/more than 1000000 objects and arrays/);
});

test("a million flat items are copied", () => {
  const items = Array.from({ length: 1_000_000 }, (_, index) => index);
  expect((cloneJson({ items }) as { items: number[] }).items.at(-1)).toBe(999_999);
});
