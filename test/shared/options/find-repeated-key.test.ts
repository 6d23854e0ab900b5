import { expect, test } from "vitest";
import { findRepeatedKey } from "../../../src/shared/options/find-repeated-key.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";

test.each([
  ['{"deny":["a"],\n"deny":[]}', "deny", 2],
  ['{"a":{"b":1,"b":2}}', "b", 1],
  ['[{"a":1},{"b":[{"c":1,\n\n"c":2}]}]', "c", 3],
  [String.raw`{"deny":1,"d\u0065ny":2}`, "deny", 1],
  ['{"a":"}{","a":"]"}', "a", 1],
  ['{"__proto__":1,"__proto__":2}', "__proto__", 1],
  ['{"":1,"":2}', "", 1],
])("%s has a key twice", (text, key, line) => {
  expect(findRepeatedKey(text)).toEqual({ key, line });
});

test("a text that a program wrote has no key twice, whatever is in it", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      // Written again, because the generator's own text may have one.
      expect(findRepeatedKey(JSON.stringify(JSON.parse(text)))).toBeUndefined();
    }),
    { numRuns: fuzzRuns({ sample: 200, full: 20_000 }) },
  );
});
