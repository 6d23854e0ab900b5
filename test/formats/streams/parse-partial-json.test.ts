import { expect, test } from "vitest";
import { parsePartialJson } from "../../../src/capabilities/interop/index.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { anyCharacter } from "../any-character.ts";

const numRuns = fuzzRuns({ sample: 60, full: 5000 });

test("the whole text gives what JSON gives, and nothing is taken for unfinished", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: anyCharacter }), fc.boolean(), (json, isSpaced) => {
      const text = isSpaced ? JSON.stringify(JSON.parse(json), null, 2) : json;
      expect(parsePartialJson(text)).toEqual({ state: "whole", value: JSON.parse(text) });
    }),
    { numRuns },
  );
});

test("every beginning of an object's text gives a beginning of the object", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2, stringUnit: anyCharacter }), { maxKeys: 4 }),
      (object) => {
        const text = JSON.stringify(object);
        const whole = JSON.parse(text);
        for (let length = 0; length < text.length; length++) {
          const { state, value } = parsePartialJson(text.slice(0, length));
          if (state !== "cut" || (length > 0 && !isBeginning(value, whole)))
            throw new Error(text.slice(0, length));
        }
      },
    ),
    { numRuns },
  );
});

test("values that grow are never taken back", () => {
  const text = '{"path":"a\\nb","edits":[{"old":"x","n":12},{"old":"y"}],"deep":{"on":true}}';
  let last: unknown = {};
  for (let length = 1; length <= text.length; length++) {
    const { value } = parsePartialJson(text.slice(0, length));
    expect(isBeginning(last, value)).toBe(true);
    last = value;
  }
  expect(last).toEqual(JSON.parse(text));
});

test.each([
  ['{"path":"src/ma', { path: "src/ma" }],
  ['{"path":"a","li', { path: "a" }],
  ['{"path":"a","limit":', { path: "a" }],
  ['{"limit":12', {}],
  ['{"limit":12,', { limit: 12 }],
  ['{"all":tru', {}],
  ['{"all":true', { all: true }],
  ['{"list":[1,2,[3', { list: [1, 2, []] }],
  ['{"text":"a\\', { text: "a" }],
  ['{"text":"a\\u00e', { text: "a" }],
  ['{"text":"a\\ud83d', { text: "a" }],
  ['{"text":"a\\\\ud83d', { text: "a\\ud83d" }],
  ['{"text":"a\\\\\\ud83d', { text: "a\\" }],
  ['{"text":"a\\ud83d\\ude00', { text: "a😀" }],
  ['```json\n{"a":[1,', { a: [1] }],
])("only the certain part of %j is shown", (text, value) => {
  expect(parsePartialJson(text)).toEqual({ state: "cut", value });
});

test.each(["", "  ", "-", "tru", "```", "```json\n"])("no part of %j is certain yet", (text) => {
  expect(parsePartialJson(text)).toEqual({ state: "cut" });
});

test.each([
  ['{"a":1,}', { a: 1 }],
  ["[1,2,]", [1, 2]],
  ['```json\n{"a":1}\n```', { a: 1 }],
  ['```\n{"a":1}```', { a: 1 }],
  ['{"text":"one\ntwo\tthree"}', { text: "one\ntwo\tthree" }],
  ['\uFEFF {"a":1}\n', { a: 1 }],
  ['{"text":"a,]}```"}', { text: "a,]}```" }],
])("%j can mean only one thing", (text, value) => {
  expect(parsePartialJson(text)).toEqual({ state: "whole", value });
});

test.each([
  '{"a":1}}',
  '{"a":1} and so on',
  '{"a":1}{"b":2}',
  "{'a':1}",
  "{a:1}",
  '{"a":True}',
  '{"a":01}',
  '{"a":1 "b":2}',
  "[1,,2]",
  "[,]",
  '{"a"}',
  '{"a":"\\x"}',
  '{"a":// why\n1}',
  "I will read the file.",
  "]",
])("%j is not guessed at", (text) => {
  expect(parsePartialJson(text)).toEqual({ state: "broken" });
});

test("a name that reaches for the prototype stays a name", () => {
  const { value } = parsePartialJson('{"__proto__":{"polluted":true},"constructor":{"prototype":1');
  expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect({}).not.toHaveProperty("polluted");
});

test("text that is nested or long beyond reason is soon found broken", () => {
  expect(parsePartialJson("[".repeat(1_000_000)).state).toBe("broken");
  expect(parsePartialJson(`{"a":"${"x".repeat(10_000_001)}"}`).state).toBe("broken");
});

function isBeginning(part: unknown, whole: unknown): boolean {
  if (typeof part === "string") return typeof whole === "string" && whole.startsWith(part);
  if (typeof part !== "object" || part === null) return part === whole;
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((item, index) => isBeginning(item, whole[index]));
  }
  return Object.entries(part).every(([name, inner]) => {
    const property = Object.getOwnPropertyDescriptor(whole, name);
    return property !== undefined && isBeginning(inner, property.value);
  });
}
