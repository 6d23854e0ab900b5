import { isPlainObject } from "../json.ts";
import { report, type SchemaCheck } from "./inspection.ts";
import { type JsonSchema, type JsonType, SchemaError } from "./json-schema.ts";

/** The schema that a keyword stands in, and the way to its inner schemas. */
export interface SchemaSite {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  /** JSON pointer of the schema, for errors at definition. */
  readonly at: string;
  compile(schema: unknown, at: string): SchemaCheck;
}

export type CreateCheck = (argument: unknown, site: SchemaSite) => SchemaCheck | undefined;

export function readSchemas(argument: unknown, keyword: string, { at, compile }: SchemaSite): SchemaCheck[] {
  if (!Array.isArray(argument) || argument.length === 0) {
    throw new SchemaError(`${at}/${keyword} must be a list of one or more schemas`);
  }
  return argument.map((schema, index) => compile(schema, `${at}/${keyword}/${index}`));
}

export function readSchemaMap(argument: unknown, keyword: string, { at, compile }: SchemaSite) {
  return readObjectEntries(argument, `${at}/${keyword}`, "schemas").map(([name, schema]) => ({
    name,
    schema,
    check: compile(schema, `${at}/${keyword}/${name}`),
  }));
}

export function readObjectEntries(argument: unknown, at: string, ofWhat: string): [string, unknown][] {
  if (!isPlainObject(argument)) throw new SchemaError(`${at} must be an object of ${ofWhat}`);
  return Object.entries(argument);
}

export function readNames(argument: unknown, at: string): string[] {
  if (!Array.isArray(argument) || !argument.every((name) => typeof name === "string")) {
    throw new SchemaError(`${at} must be a list of names`);
  }
  return argument;
}

export function readNumber(argument: unknown, at: string): number {
  if (typeof argument !== "number" || !Number.isFinite(argument)) {
    throw new SchemaError(`${at} must be a number; received ${JSON.stringify(argument)}`);
  }
  return argument;
}

/** A limit on the number of a value's parts; `countIn` gives undefined for a value of another type. */
export function limitCount(
  keyword: string,
  countIn: (value: unknown) => number | undefined,
  wording: (limit: string, isOne: boolean) => string,
): CreateCheck {
  const isMost = keyword.startsWith("max");
  return (argument, { at }) => {
    const limit = readCount(argument, `${at}/${keyword}`);
    const expected = wording(`${isMost ? "at most" : "at least"} ${limit}`, limit === 1);
    return (value, inspection) => {
      const count = countIn(value);
      if (count !== undefined && (isMost ? count > limit : count < limit))
        report(inspection, expected, value);
    };
  };
}

export function readCount(argument: unknown, at: string): number {
  const count = readNumber(argument, at);
  if (!Number.isInteger(count) || count < 0) {
    throw new SchemaError(`${at} must be a whole number from 0 on; received ${count}`);
  }
  return count;
}

/** A schema's regular expression, or an error at definition. */
export function compilePattern(pattern: unknown, at: string): RegExp {
  if (typeof pattern !== "string") throw new SchemaError(`${at} must be a regular expression`);
  try {
    return new RegExp(pattern, "u");
  } catch {
    // Patterns written without the u flag in mind, such as \- outside a class, are common.
    try {
      return new RegExp(pattern);
    } catch (cause) {
      throw new SchemaError(`${at}: ${(cause as Error).message}`, { cause });
    }
  }
}

export const typeNames: Record<JsonType, string> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

/** Enough of a test once the value is known to be plain JSON. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
