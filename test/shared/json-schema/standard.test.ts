import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import { type JsonSchema, SchemaError } from "../../../src/shared/json-schema/json-schema.ts";

/** After the questions that the standard's own suite asks for each keyword. */
interface StandardCase {
  readonly keyword: string;
  readonly schema: JsonSchema;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

/** What the standard allows and we refuse, with a part of what is said. */
interface RefusedSchema {
  readonly what: string;
  readonly schema: JsonSchema;
  readonly message: string;
}

const standardCases = readLines<StandardCase>("standard-cases.jsonl");
const refusedSchemas = readLines<RefusedSchema>("refused-schemas.jsonl");

test.each(standardCases.map((each) => [each.keyword, JSON.stringify(each.schema), each] as const))(
  "%s means what the standard says in %s",
  (_keyword, _text, { schema, valid, invalid }) => {
    const validate = compileSchema(schema);
    expect(valid.filter((value) => !validate(value).ok)).toEqual([]);
    expect(invalid.filter((value) => validate(value).ok)).toEqual([]);
  },
);

test.each(refusedSchemas)(
  "$what is refused when the schema is read, rather than ignored",
  ({ schema, message }) => {
    expect(() => compileSchema(schema)).toThrow(SchemaError);
    expect(() => compileSchema(schema)).toThrow(message);
  },
);

test("keys that reach into JavaScript's own objects are refused in a value, by name", () => {
  const validate = compileSchema({ type: "object" });
  for (const key of ["constructor", "__proto__", "prototype"]) {
    const validation = validate(JSON.parse(`{"${key}":1}`));
    expect(validation).toMatchObject({ ok: false, issues: [{ received: `an object with the key ${key}` }] });
  }
});

function readLines<Line>(name: string): Line[] {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}
