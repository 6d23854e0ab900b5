import { report } from "../inspection.ts";
import { type JsonSchema, SchemaError } from "../json-schema.ts";
import { type CreateCheck, readNumber } from "../schema-site.ts";

export const numberChecks = {
  minimum: onNumber("minimum", (value, limit) => value >= limit),
  maximum: onNumber("maximum", (value, limit) => value <= limit),
  exclusiveMinimum: onNumber("exclusiveMinimum", (value, limit) => value > limit),
  exclusiveMaximum: onNumber("exclusiveMaximum", (value, limit) => value < limit),
  multipleOf: checkMultipleOf,
} satisfies Record<string, CreateCheck>;

function onNumber(keyword: string, holds: (value: number, limit: number) => boolean): CreateCheck {
  return (argument, { schema, at }) => {
    const limit = readNumber(argument, `${at}/${keyword}`);
    return (value, inspection) => {
      if (typeof value === "number" && !holds(value, limit)) report(inspection, describeRange(schema), value);
    };
  };
}

/** The whole range, so that one refusal tells everything there is to know. */
function describeRange(schema: JsonSchema): string {
  const parts: string[] = [];
  if (schema.minimum !== undefined && schema.maximum !== undefined) {
    parts.push(`between ${schema.minimum} and ${schema.maximum}`);
  } else {
    if (schema.minimum !== undefined) parts.push(`at least ${schema.minimum}`);
    if (schema.maximum !== undefined) parts.push(`at most ${schema.maximum}`);
  }
  if (schema.exclusiveMinimum !== undefined) parts.push(`greater than ${schema.exclusiveMinimum}`);
  if (schema.exclusiveMaximum !== undefined) parts.push(`less than ${schema.exclusiveMaximum}`);
  if (schema.multipleOf !== undefined) parts.push(`a multiple of ${schema.multipleOf}`);
  return parts.join(" and ");
}

function checkMultipleOf(argument: unknown, site: Parameters<CreateCheck>[1]): ReturnType<CreateCheck> {
  const step = readNumber(argument, `${site.at}/multipleOf`);
  if (step <= 0) throw new SchemaError(`${site.at}/multipleOf must be greater than 0; received ${step}`);
  return onNumber("multipleOf", isMultipleOf)(step, site);
}

function isMultipleOf(value: number, step: number): boolean {
  const quotient = value / step;
  // 0.3 is three times 0.1 to everybody but binary fractions, so the last bits are forgiven.
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 2 * Number.EPSILON;
}
