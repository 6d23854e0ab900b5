import type { JsonSchema } from "../../../src/shared/json-schema/json-schema.ts";
import { fc } from "../../support/fuzz.ts";

const names = ["a", "b", "c"] as const;
const name = fc.constantFrom(...names);
const smallNumber = fc.oneof(fc.integer({ min: -6, max: 6 }), fc.constantFrom(0.5, -1.5, 2.25));
const smallString = fc.oneof(
  fc.constantFrom("", "a", "ab", "abc", "😀", "a😀b", "1"),
  fc.string({ maxLength: 4 }),
);
const count = fc.integer({ min: 0, max: 4 });

/** Small JSON values, made of the few names and numbers that the schemas speak of. */
export const arbitraryValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom(null, true, false),
    smallNumber,
    smallString,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const type = fc.constantFrom("string", "number", "integer", "boolean", "array", "object", "null");
const pattern = fc.constantFrom("^a", "b$", "^[ab]+$", "^.$", "\\d");

/** Schemas over every supported keyword; references point to the definitions of `arbitraryRoot`. */
const arbitrarySchema: fc.Arbitrary<JsonSchema | boolean> = fc.letrec<{ schema: JsonSchema | boolean }>(
  (tie) => {
    const schema = tie("schema");
    const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
    const schemaMap = fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true });
    const keywords = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(arbitraryValue, {
        minLength: 1,
        maxLength: 3,
        selector: (each) => JSON.stringify(each),
      }),
      const: arbitraryValue,
      minLength: count,
      maxLength: count,
      pattern,
      minimum: smallNumber,
      maximum: smallNumber,
      exclusiveMinimum: smallNumber,
      exclusiveMaximum: smallNumber,
      multipleOf: fc.constantFrom(1, 2, 3, 0.5),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      properties: schemaMap,
      patternProperties: fc.dictionary(pattern, schema, { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: schema,
      propertyNames: schema,
      minProperties: count,
      maxProperties: count,
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
        noNullPrototype: true,
      }),
      dependentSchemas: schemaMap,
      prefixItems: schemas,
      items: schema,
      contains: schema,
      minContains: count,
      maxContains: count,
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      allOf: schemas,
      anyOf: schemas,
      oneOf: schemas,
      not: schema,
      if: schema,
      else: schema,
      $ref: fc.constantFrom("#/$defs/plain", "#/$defs/list"),
    };
    const oneKeyword = fc.oneof(
      ...Object.entries(keywords).map(([keyword, argument]) =>
        (argument as fc.Arbitrary<unknown>).map((value): [string, unknown] => [keyword, value]),
      ),
      // An object literal with this key would look like a promise.
      schema.map((value): [string, unknown] => ["then", value]),
    );
    return {
      schema: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        fc.boolean(),
        type.map((each): JsonSchema => ({ type: each as "string" })),
        fc.array(oneKeyword, { minLength: 1, maxLength: 4 }).map(joinKeywords),
      ),
    };
  },
).schema;

export const arbitraryRoot: fc.Arbitrary<JsonSchema> = fc
  .record({ top: arbitrarySchema, tree: fc.boolean() })
  .map(({ top, tree }) => ({
    allOf: [top],
    $defs: {
      plain: { type: ["string", "number"] },
      list: tree
        ? { type: "array", items: { anyOf: [{ $ref: "#/$defs/list" }, { type: "null" }] } }
        : { type: "array", maxItems: 2 },
    },
  }));

/** ajv lets an empty array pass a `contains` that stands beside `prefixItems`, so the two are kept apart. */
function joinKeywords(pairs: [string, unknown][]): JsonSchema {
  const { prefixItems, ...schema } = Object.fromEntries(pairs);
  return prefixItems === undefined || "contains" in schema ? schema : { ...schema, prefixItems };
}
