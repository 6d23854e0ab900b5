import type { JsonSchema } from "./json-schema.ts";

/**
 * How a schema of a whole value gets closed: it `declares` itself which keys it takes, it is a `choice`
 * between forms that are each closed, a `reference` to a schema closed elsewhere, or it `lists` its keys
 * itself and in its forms.
 */
export type ClosingKind = "declares" | "choice" | "reference" | "lists";

export function closingKindOf(schema: JsonSchema): ClosingKind {
  if (schema.additionalProperties !== undefined || schema.patternProperties !== undefined) return "declares";
  const [only, ...others] = Object.keys(schema).filter((keyword) => listingKeywords.has(keyword));
  if (only === undefined || others.length > 0) return "lists";
  if (only === "$ref") return "reference";
  const isChoice = only === "anyOf" || only === "oneOf" || (only === "allOf" && isSingle(schema.allOf));
  return isChoice ? "choice" : "lists";
}

const listingKeywords = new Set([
  "properties",
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "then",
  "else",
  "dependentSchemas",
]);

function isSingle(forms: unknown): boolean {
  return Array.isArray(forms) && forms.length === 1;
}
