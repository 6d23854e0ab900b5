import { canonicalJson } from "../../json.ts";
import { describeList } from "../describe-value.ts";
import { countStep, type Inspection, report, reportWrongType, type SchemaCheck } from "../inspection.ts";
import { type JsonSchema, type JsonType, SchemaError } from "../json-schema.ts";
import { resolvePointer } from "../resolve-pointer.ts";
import {
  type CreateCheck,
  compilePattern,
  isJsonObject,
  readCount,
  readNumber,
  type SchemaSite,
  typeNames,
} from "../schema-site.ts";

/** Keywords that apply to values of any type. */
export const valueChecks = {
  $ref: checkReference,
  type: checkType,
  enum: checkEnum,
  const: checkConst,
} satisfies Record<string, CreateCheck>;

function checkReference(reference: unknown, { root, at, compile }: SchemaSite): SchemaCheck {
  const target = typeof reference === "string" ? resolvePointer(root, reference) : undefined;
  if (target === undefined) {
    throw new SchemaError(
      `${at}/$ref must point into this schema, such as #/$defs/Name; received ${JSON.stringify(reference)}`,
    );
  }
  const check = compile(target, String(reference));
  return (value, inspection) => {
    countStep(inspection);
    check(value, inspection);
  };
}

const typeTests: Record<JsonType, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: isJsonObject,
  null: (value) => value === null,
};

function checkType(type: unknown, { at }: SchemaSite): SchemaCheck {
  const types = (Array.isArray(type) ? type : [type]) as JsonType[];
  for (const each of types) {
    if (typeof each !== "string" || !Object.hasOwn(typeTests, each))
      throw new SchemaError(`${at}/type: ${JSON.stringify(each)} is not a JSON type`);
  }
  const expected = types.map((each) => typeNames[each]).join(" or ");
  if (types.length === 1) {
    const matches = typeTests[types[0]!];
    return (value, inspection) => {
      if (!matches(value)) reportWrongType(inspection, expected, value);
    };
  }
  return (value, inspection) => {
    if (!types.some((each) => typeTests[each](value))) reportWrongType(inspection, expected, value);
  };
}

function checkEnum(members: unknown, { at }: SchemaSite): SchemaCheck {
  if (!Array.isArray(members)) throw new SchemaError(`${at}/enum must be a list`);
  const isAllowed = createMembership(members);
  const expected = `one of ${describeList(members.map((member) => JSON.stringify(member)))}`;
  return (value, inspection) => {
    if (!isAllowed(value)) report(inspection, expected, value);
  };
}

function checkConst(constant: unknown): SchemaCheck {
  const isAllowed = createMembership([constant]);
  const expected = JSON.stringify(constant);
  return (value, inspection) => {
    if (!isAllowed(value)) report(inspection, expected, value);
  };
}

function createMembership(members: readonly unknown[]): (value: unknown) => boolean {
  const primitives = new Set(members.filter((member) => typeof member !== "object" || member === null));
  if (primitives.size === members.length) return (value) => primitives.has(value);
  const texts = new Set(members.map(canonicalJson));
  return (value) => texts.has(canonicalJson(value));
}

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

export const stringChecks = {
  minLength: onLength("minLength", "at least", (length, limit) => length >= limit),
  maxLength: onLength("maxLength", "at most", (length, limit) => length <= limit),
  pattern: checkPattern,
} satisfies Record<string, CreateCheck>;

function onLength(
  keyword: string,
  wording: "at least" | "at most",
  holds: (length: number, limit: number) => boolean,
): CreateCheck {
  return (argument, { at }) => {
    const limit = readCount(argument, `${at}/${keyword}`);
    const expected = `${wording} ${limit === 1 ? "1 character" : `${limit} characters`} long`;
    return (value, inspection) => {
      if (typeof value !== "string") return;
      // The standard counts characters: they are at most as many as UTF-16 units and at least half of them.
      if (holds(value.length, limit) && holds(value.length / 2, limit)) return;
      let length = 0;
      for (const _character of value) length++;
      if (!holds(length, limit)) report(inspection, expected, value);
    };
  };
}

function checkPattern(pattern: unknown, { at }: SchemaSite): SchemaCheck {
  const expression = compilePattern(pattern, `${at}/pattern`);
  return (value: unknown, inspection: Inspection) => {
    if (typeof value === "string" && !expression.test(value)) {
      report(inspection, `text matching ${pattern}`, value);
    }
  };
}
