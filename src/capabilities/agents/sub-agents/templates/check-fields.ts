import { isPlainObject } from "../../../../shared/json.ts";
import { describeValue } from "../../../../shared/json-schema/describe-value.ts";

/** Throws a TypeError that names the field with a wrong value. */
export type FieldCheck = (where: string, value: unknown) => void;

/** Checks the values; unknown fields were refused before. */
export function checkFields(
  where: string,
  value: unknown,
  checks: Readonly<Record<string, FieldCheck>>,
): void {
  if (!isPlainObject(value)) throw wrong(where, "an object", value);
  for (const [name, check] of Object.entries(checks)) check(`${where}.${name}`, value[name]);
}

export function optional(isRight: (value: unknown) => boolean, wanted: string): FieldCheck {
  return (where, value) => {
    if (value !== undefined && !isRight(value)) throw wrong(where, wanted, value);
  };
}

export function wrong(where: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`${where} must be ${wanted}; received ${describeValue(value)}`);
}
