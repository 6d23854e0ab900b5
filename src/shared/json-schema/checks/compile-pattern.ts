import { SchemaError } from "../json-schema.ts";

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
