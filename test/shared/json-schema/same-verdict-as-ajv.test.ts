import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import { fc } from "../../support/fuzz.ts";
import { arbitraryRoot, arbitraryValue } from "./arbitrary-schema.ts";

test("a compiled schema accepts exactly the values that ajv accepts, for random schemas over all keywords", () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(
      arbitraryRoot,
      fc.array(arbitraryValue, { minLength: 8, maxLength: 12 }),
      (schema, values) => {
        const expected = ajv.compile(schema);
        const validate = compileSchema(schema);
        for (const value of values) {
          const verdict = validate(value).ok;
          expect({ schema, value, verdict }).toEqual({ schema, value, verdict: expected(value) });
          if (verdict) accepted++;
          else refused++;
        }
      },
    ),
    { numRuns: 600 },
  );
  // A generator that only ever made one kind of verdict would prove nothing.
  expect(Math.min(accepted, refused)).toBeGreaterThan(500);
});

test("a refusal says why, with a path and both sides", () => {
  fc.assert(
    fc.property(arbitraryRoot, arbitraryValue, (schema, value) => {
      const validation = compileSchema(schema)(value);
      if (validation.ok) return;
      expect(validation.issues.length).toBeGreaterThan(0);
      for (const issue of validation.issues) {
        expect(issue.path.startsWith("$")).toBe(true);
        expect(issue.expected).not.toBe("");
        expect(issue.message).toContain(issue.path);
      }
    }),
    { numRuns: 300 },
  );
});
