import { isPlainObject } from "../json.ts";
import type { SchemaCheck } from "./inspection.ts";
import { type JsonSchema, SchemaError } from "./json-schema.ts";

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

export function readCount(argument: unknown, at: string): number {
  const count = readNumber(argument, at);
  if (!Number.isInteger(count) || count < 0) {
    throw new SchemaError(`${at} must be a whole number from 0 on; received ${count}`);
  }
  return count;
}
