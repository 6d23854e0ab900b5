import { expect, test } from "vitest";
import { maskWebTokens } from "../../../src/shared/secrets/redact.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";

/** What a token is, in as many words; too slow for text of others. */
const token = /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/g;

test("exactly what has the shape of a token is masked", () => {
  const parts = fc.constantFrom(
    "eyJ",
    ".eyJ",
    "eyJabcdefghij",
    ".",
    "-",
    "_",
    "abcdefghijk",
    "é",
    " ",
    "\n",
    "abcde",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 14 }), (words) => {
      const text = words.join("");
      expect(maskWebTokens(text, "[redacted]")).toBe(text.replace(token, "[redacted]"));
    }),
    { numRuns: fuzzRuns({ sample: 2000, full: 200_000 }) },
  );
});
