import { expect, test } from "vitest";
import { parseFrozen } from "../../src/shared/parse-frozen.ts";

test("what was parsed cannot be changed, however deep", () => {
  const value = parseFrozen('{"a":[{"b":1}],"__proto__":{"c":[2]},"d":null}') as { a: { b: number }[] };
  expect(JSON.stringify(value)).toBe('{"a":[{"b":1}],"__proto__":{"c":[2]},"d":null}');
  expect(() => {
    value.a[0]!.b = 2;
  }).toThrow(TypeError);
  expect(() => value.a.push({ b: 3 })).toThrow(TypeError);
  expect(Object.isFrozen(Object.values(value)[1])).toBe(true);
});
