import { isPlainObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";

/** Names of arguments that equal their defaults. Never of free text, which may say anything. */
export function defaultsIn(input: unknown, { properties = {} }: JsonSchema): string[] {
  if (!isPlainObject(input)) return [];
  return Object.entries(input)
    .filter(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (typeof schema !== "object" || schema.default !== value) return false;
      return typeof value === "string" ? schema.enum?.includes(value) === true : typeof value !== "object";
    })
    .map(([name]) => name);
}
