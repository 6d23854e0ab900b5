import { isPlainObject } from "../../json.ts";
import type { SchemaCheck } from "../inspection.ts";
import { resolvePointer } from "../resolve-pointer.ts";
import { readSchemas, type SchemaSite } from "../schema-site.ts";
import { isJsonObject } from "./json-types.ts";

/** One of several forms a value may have. */
export interface SchemaForm {
  readonly check: SchemaCheck;
  /** The properties that tell this form from others, such as `kind`, and what each must be. */
  readonly tags: readonly (readonly [name: string, value: unknown])[];
}

export function readForms(argument: unknown, keyword: string, site: SchemaSite): SchemaForm[] {
  const checks = readSchemas(argument, keyword, site);
  return checks.map((check, index) => ({ check, tags: readTags((argument as unknown[])[index], site) }));
}

/** Whether the value's tag properties select this form. */
export function isTaggedAs({ tags }: SchemaForm, value: unknown): boolean {
  return tags.length > 0 && isJsonObject(value) && tags.every(([name, tag]) => value[name] === tag);
}

function readTags(schema: unknown, { root }: SchemaSite): [string, unknown][] {
  if (!isPlainObject(schema)) return [];
  const form = typeof schema.$ref === "string" ? resolvePointer(root, schema.$ref) : schema;
  if (!isPlainObject(form) || !isPlainObject(form.properties)) return [];
  return Object.entries(form.properties).flatMap(([name, property]): [string, unknown][] =>
    isPlainObject(property) && property.const !== undefined ? [[name, property.const]] : [],
  );
}
