import { expect, test } from "vitest";
import { canonicalJson, isPlainObject, parseFrozen } from "../../src/shared/json.ts";
import { fc } from "../support/fuzz.ts";

test("the same value gives the same text, whatever the order of its keys", () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const reversed = Object.fromEntries(Object.entries(object).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(object));
    }),
  );
});

test("the text holds the whole value", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(canonicalJson(JSON.parse(text)))).toEqual(JSON.parse(text));
    }),
  );
});

test("only objects written as such are plain", () => {
  for (const value of [{}, Object.create(null), { a: 1 }]) expect(isPlainObject(value)).toBe(true);
  for (const value of [null, [], new Date(0), new Map(), () => {}, "a", 1, undefined])
    expect(isPlainObject(value)).toBe(false);
});

test("a parsed value cannot be changed, however deep", () => {
  const value = parseFrozen('{"a":[{"b":1}],"__proto__":{"c":[2]},"d":null}') as { a: { b: number }[] };
  expect(JSON.stringify(value)).toBe('{"a":[{"b":1}],"__proto__":{"c":[2]},"d":null}');
  expect(() => {
    value.a[0]!.b = 2;
  }).toThrow(TypeError);
  expect(() => value.a.push({ b: 3 })).toThrow(TypeError);
  expect(Object.isFrozen(Object.values(value)[1])).toBe(true);
});
