import { expect, test } from "vitest";
import { fitJson } from "../../../src/shared/text/fit-json.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";

const room = 200;

/** Whether one value is the other with texts and lists that end earlier. */
function isBeginning(short: unknown, whole: unknown): boolean {
  if (typeof short === "string" && typeof whole === "string")
    return whole.toWellFormed().startsWith(short.toWellFormed());
  if (Array.isArray(short) && Array.isArray(whole))
    return short.length <= whole.length && short.every((entry, index) => isBeginning(entry, whole[index]));
  if (typeof short !== "object" || short === null || typeof whole !== "object" || whole === null)
    return Object.is(short, whole);
  const [fields, all] = [Object.entries(short), new Map(Object.entries(whole))];
  return fields.length === all.size && fields.every(([name, inner]) => isBeginning(inner, all.get(name)));
}

test("the shortened value fits, has the beginning of each text and list, and is everything if that fits", () => {
  const texts = fc.string({ unit: "binary", maxLength: 300 });
  const values = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" });
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(texts, values), { maxKeys: 8 }),
      (made) => {
        const value: unknown = JSON.parse(JSON.stringify(made));
        const short = fitJson(value, room);
        if (short === undefined) return;
        expect(JSON.stringify(short).length).toBeLessThanOrEqual(room);
        expect(isBeginning(short, value)).toBe(true);
        if (JSON.stringify(value).length < room - 20) expect(short).toEqual(value);
      },
    ),
    { numRuns: fuzzRuns({ sample: 300, full: 50_000 }) },
  );
});

test("of several texts and lists, the longest lose something", () => {
  const value = { a: "a".repeat(500), b: "short", c: ["d".repeat(30), ...Array<number>(500).fill(1)] };
  const { a, b, c } = fitJson(value, room) as typeof value;
  expect([a.length > 60, b, c.length > 10]).toEqual([true, "short", true]);
});

test("a value with too many names is given up before it is gone through", () => {
  const named = Array.from({ length: 100_000 }, (_, index) => [`name ${index}`, "a"]);
  const wide = Object.fromEntries(named) as Record<string, string>;
  expect(fitJson(wide, room)).toBeUndefined();
});
