import { canonicalJson } from "../../json.ts";
import { describeList } from "../describe-value.ts";
import { countStep, report, reportWrongType, type SchemaCheck } from "../inspection.ts";
import { type JsonType, SchemaError } from "../json-schema.ts";
import { resolvePointer } from "../resolve-pointer.ts";
import type { CreateCheck, SchemaSite } from "../schema-site.ts";
import { isJsonObject, typeNames } from "./json-types.ts";

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
