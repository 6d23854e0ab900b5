import { isPlainObject } from "../json.ts";
import { formsOfSameValue } from "./forms-of-same-value.ts";
import { type JsonSchema, SchemaError } from "./json-schema.ts";

/** Which schemas were looked at: entered, or found to come to an end. */
export type ReferenceStates = Map<JsonSchema, "entered" | "ends">;

/**
 * A schema may contain itself for something inside the value, as trees do; one that asks itself about
 * the very same value never gives an answer.
 */
export function refuseEndlessReference(
  schema: JsonSchema,
  root: JsonSchema,
  { at, states }: { at: string; states: ReferenceStates },
): void {
  const state = states.get(schema);
  if (state === "ends") return;
  if (state === "entered") {
    throw new SchemaError(`${at} refers to itself for the same value, so it could never be checked`);
  }
  states.set(schema, "entered");
  for (const form of [...formsOfSameValue(schema, root), schema.not]) {
    if (isPlainObject(form)) refuseEndlessReference(form, root, { at, states });
  }
  states.set(schema, "ends");
}
