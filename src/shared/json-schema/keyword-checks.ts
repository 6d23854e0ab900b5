import { canonicalJson, isPlainObject } from "../json.ts";
import { deeperFrame, type Frame, frameAt, pathOf, report, reportInWords, trialFrame } from "./frame.ts";
import { type JsonSchema, type JsonType, SchemaError, type ValidationIssue } from "./json-schema.ts";
import { resolvePointer } from "./resolve-pointer.ts";

export type Check = (value: unknown, frame: Frame) => void;

interface SchemaSite {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  /** JSON pointer of the schema, for errors at definition. */
  readonly at: string;
  compile(schema: unknown, at: string): Check;
}

type CreateCheck = (keywordValue: unknown, site: SchemaSite) => Check | undefined;

/** One entry per keyword, in the order in which problems are reported. */
export const keywordChecks: ReadonlyMap<string, CreateCheck> = new Map<string, CreateCheck>([
  ["$ref", checkReference],
  ["type", checkType],
  ["enum", checkEnum],
  ["const", checkConst],
  [
    "minLength",
    onString(
      lengthCheck(
        (length, limit) => length >= limit,
        (limit) => `at least ${limit} characters long`,
      ),
    ),
  ],
  [
    "maxLength",
    onString(
      lengthCheck(
        (length, limit) => length <= limit,
        (limit) => `at most ${limit} characters long`,
      ),
    ),
  ],
  ["pattern", checkPattern],
  ["minimum", onNumber((value, limit) => value >= limit)],
  ["maximum", onNumber((value, limit) => value <= limit)],
  ["exclusiveMinimum", onNumber((value, limit) => value > limit)],
  ["exclusiveMaximum", onNumber((value, limit) => value < limit)],
  ["multipleOf", onNumber(isMultipleOf)],
  ["required", checkRequired],
  ["properties", checkProperties],
  ["patternProperties", checkPatternProperties],
  ["additionalProperties", checkAdditionalProperties],
  ["propertyNames", checkPropertyNames],
  ["minProperties", countProperties((count, limit) => count >= limit, "at least")],
  ["maxProperties", countProperties((count, limit) => count <= limit, "at most")],
  ["dependentRequired", checkDependentRequired],
  ["dependentSchemas", checkDependentSchemas],
  ["prefixItems", checkPrefixItems],
  ["items", checkItems],
  ["contains", checkContains],
  ["minItems", countItems((count, limit) => count >= limit, "at least")],
  ["maxItems", countItems((count, limit) => count <= limit, "at most")],
  ["uniqueItems", checkUniqueItems],
  ["allOf", checkAllOf],
  ["anyOf", checkAnyOf],
  ["oneOf", checkOneOf],
  ["not", checkNot],
  ["if", checkCondition],
]);

export const unsupportedKeywords = [
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
  "$recursiveRef",
  "dependencies",
  "additionalItems",
];

const maxReferenceDepth = 200;

function checkReference(reference: unknown, { root, at, compile }: SchemaSite): Check {
  const target = typeof reference === "string" ? resolvePointer(root, reference) : undefined;
  if (target === undefined) {
    throw new SchemaError(
      `${at}/$ref must point into this schema, such as #/$defs/Name; received ${JSON.stringify(reference)}`,
    );
  }
  const check = compile(target, String(reference));
  return (value, frame) => {
    if (frame.depth > maxReferenceDepth)
      return report(frame, `nested at most ${maxReferenceDepth} deep`, value);
    check(value, deeperFrame(frame));
  };
}

const typeTests: Record<JsonType, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: isPlainObject,
  null: (value) => value === null,
};

const typeNames: Record<JsonType, string> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

function checkType(type: unknown, { at }: SchemaSite): Check {
  const types = (Array.isArray(type) ? type : [type]) as JsonType[];
  for (const each of types) {
    if (!Object.hasOwn(typeTests, each))
      throw new SchemaError(`${at}/type: ${JSON.stringify(each)} is not a JSON type`);
  }
  const expected = types.map((each) => typeNames[each]).join(" or ");
  if (types.length === 1) {
    const matches = typeTests[types[0]!];
    return (value, frame) => {
      if (!matches(value)) report(frame, expected, value);
    };
  }
  return (value, frame) => {
    if (!types.some((each) => typeTests[each](value))) report(frame, expected, value);
  };
}

function checkEnum(members: unknown, { at }: SchemaSite): Check {
  if (!Array.isArray(members)) throw new SchemaError(`${at}/enum must be a list`);
  const allowed = new Set(members.map(canonicalJson));
  const expected = `one of ${members.map((member) => JSON.stringify(member)).join(", ")}`;
  return (value, frame) => {
    if (!allowed.has(canonicalJson(value))) report(frame, expected, value);
  };
}

function checkConst(constant: unknown): Check {
  const allowed = canonicalJson(constant);
  return (value, frame) => {
    if (canonicalJson(value) !== allowed) report(frame, allowed, value);
  };
}

function onString(create: (limit: number) => (value: string, frame: Frame) => void): CreateCheck {
  return (limit, { at }) => {
    const check = create(asNumber(limit, at));
    return (value, frame) => {
      if (typeof value === "string") check(value, frame);
    };
  };
}

function lengthCheck(holds: (length: number, limit: number) => boolean, wording: (limit: number) => string) {
  return (limit: number) => (value: string, frame: Frame) => {
    // Counted as the standard says, in characters: UTF-16 units are only an upper bound.
    if (holds(value.length, limit) && holds(value.length / 2, limit)) return;
    let length = 0;
    for (const _character of value) length++;
    if (!holds(length, limit)) report(frame, wording(limit), value);
  };
}

function checkPattern(pattern: unknown, { at }: SchemaSite): Check {
  const expression = compilePattern(pattern, at);
  return (value, frame) => {
    if (typeof value === "string" && !expression.test(value))
      report(frame, `text matching ${pattern}`, value);
  };
}

function compilePattern(pattern: unknown, at: string): RegExp {
  try {
    if (typeof pattern === "string") return new RegExp(pattern, "u");
  } catch {
    // Patterns written without the u flag in mind, such as \- outside a class, are common.
    try {
      return new RegExp(String(pattern));
    } catch (cause) {
      throw new SchemaError(`${at}/pattern: ${(cause as Error).message}`, { cause });
    }
  }
  throw new SchemaError(`${at}/pattern must be a regular expression`);
}

function onNumber(holds: (value: number, limit: number) => boolean): CreateCheck {
  return (limit, { schema, at }) => {
    const bound = asNumber(limit, at);
    return (value, frame) => {
      if (typeof value === "number" && !holds(value, bound)) report(frame, describeRange(schema), value);
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

function isMultipleOf(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

function checkRequired(names: unknown, { at, schema }: SchemaSite): Check {
  const required = asNames(names, at);
  return (value, frame) => {
    if (!isPlainObject(value)) return;
    for (const name of required) {
      if (Object.hasOwn(value, name)) continue;
      const inner = frameAt(frame, name);
      reportInWords(inner, "is required and missing", {
        expected: describeExpected(schema.properties?.[name]),
        value: undefined,
      });
    }
  };
}

function describeExpected(schema: JsonSchema | boolean | undefined): string {
  if (typeof schema !== "object" || typeof schema.type !== "string") return "a value";
  return typeNames[schema.type as JsonType] ?? "a value";
}

function checkProperties(properties: unknown, { at, compile }: SchemaSite): Check {
  if (!isPlainObject(properties)) throw new SchemaError(`${at}/properties must be an object of schemas`);
  const checks = Object.entries(properties).map(([name, schema]) => ({
    name,
    check: compile(schema, `${at}/properties/${name}`),
    default: isPlainObject(schema) ? schema.default : undefined,
  }));
  return (value, frame) => {
    if (!isPlainObject(value)) return;
    for (const property of checks) {
      if (!Object.hasOwn(value, property.name)) {
        if (property.default === undefined || !frame.fillsDefaults) continue;
        value[property.name] = structuredClone(property.default);
      }
      property.check(value[property.name], frameAt(frame, property.name));
    }
  };
}

function checkPatternProperties(patterns: unknown, { at, compile }: SchemaSite): Check {
  if (!isPlainObject(patterns)) throw new SchemaError(`${at}/patternProperties must be an object of schemas`);
  const checks = Object.entries(patterns).map(([pattern, schema]) => ({
    expression: compilePattern(pattern, `${at}/patternProperties`),
    check: compile(schema, `${at}/patternProperties/${pattern}`),
  }));
  return (value, frame) => {
    if (!isPlainObject(value)) return;
    for (const key of Object.keys(value)) {
      for (const { expression, check } of checks) {
        if (expression.test(key)) check(value[key], frameAt(frame, key));
      }
    }
  };
}

function checkAdditionalProperties(
  additional: unknown,
  { schema, at, compile }: SchemaSite,
): Check | undefined {
  if (additional === true) return undefined;
  const known = new Set(Object.keys(schema.properties ?? {}));
  const patterns = Object.keys((schema.patternProperties as object | undefined) ?? {}).map((pattern) =>
    compilePattern(pattern, at),
  );
  const isKnown = (key: string) => known.has(key) || patterns.some((pattern) => pattern.test(key));
  const check = additional === false ? undefined : compile(additional, `${at}/additionalProperties`);
  const expected = known.size === 0 ? "no parameters" : `only ${[...known].join(", ")}`;
  return (value, frame) => {
    if (!isPlainObject(value)) return;
    for (const key of Object.keys(value)) {
      if (isKnown(key)) continue;
      const inner = frameAt(frame, key);
      if (check !== undefined) check(value[key], inner);
      else reportInWords(inner, `is not known here; expected ${expected}`, { expected, value: value[key] });
    }
  };
}

function checkPropertyNames(names: unknown, { at, compile }: SchemaSite): Check {
  const check = compile(names, `${at}/propertyNames`);
  return (value, frame) => {
    if (!isPlainObject(value)) return;
    for (const key of Object.keys(value)) check(key, frameAt(frame, key));
  };
}

function countProperties(holds: (count: number, limit: number) => boolean, wording: string): CreateCheck {
  return (limit, { at }) => {
    const bound = asNumber(limit, at);
    return (value, frame) => {
      if (isPlainObject(value) && !holds(Object.keys(value).length, bound)) {
        report(frame, `an object with ${wording} ${bound} properties`, value);
      }
    };
  };
}

function checkDependentRequired(dependencies: unknown, { at }: SchemaSite): Check {
  if (!isPlainObject(dependencies))
    throw new SchemaError(`${at}/dependentRequired must be an object of lists`);
  const lists = Object.entries(dependencies).map(([name, names]) => ({ name, required: asNames(names, at) }));
  return (value, frame) => {
    if (!isPlainObject(value)) return;
    for (const { name, required } of lists) {
      if (!Object.hasOwn(value, name)) continue;
      for (const needed of required) {
        if (Object.hasOwn(value, needed)) continue;
        const inner = frameAt(frame, needed);
        reportInWords(inner, `is required when ${name} is given`, { expected: "a value", value: undefined });
      }
    }
  };
}

function checkDependentSchemas(dependencies: unknown, { at, compile }: SchemaSite): Check {
  if (!isPlainObject(dependencies))
    throw new SchemaError(`${at}/dependentSchemas must be an object of schemas`);
  const checks = Object.entries(dependencies).map(
    ([name, schema]) => [name, compile(schema, `${at}/dependentSchemas/${name}`)] as const,
  );
  return (value, frame) => {
    if (!isPlainObject(value)) return;
    for (const [name, check] of checks) if (Object.hasOwn(value, name)) check(value, frame);
  };
}

function checkPrefixItems(schemas: unknown, { at, compile }: SchemaSite): Check {
  const checks = asSchemas(schemas, `${at}/prefixItems`, compile);
  return (value, frame) => {
    if (!Array.isArray(value)) return;
    for (const [index, check] of checks.entries())
      if (index < value.length) check(value[index], frameAt(frame, index));
  };
}

function checkItems(items: unknown, { schema, at, compile }: SchemaSite): Check {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
  const check = compile(items, `${at}/items`);
  return (value, frame) => {
    if (!Array.isArray(value)) return;
    for (let index = first; index < value.length; index++) check(value[index], frameAt(frame, index));
  };
}

function checkContains(contained: unknown, { schema, at, compile }: SchemaSite): Check {
  const check = compile(contained, `${at}/contains`);
  const minimum = typeof schema.minContains === "number" ? schema.minContains : 1;
  const maximum = typeof schema.maxContains === "number" ? schema.maxContains : Number.POSITIVE_INFINITY;
  const most = maximum === Number.POSITIVE_INFINITY ? "" : ` and at most ${maximum}`;
  return (value, frame) => {
    if (!Array.isArray(value)) return;
    const count = value.filter((item) => passes(check, item, frame)).length;
    if (count < minimum || count > maximum)
      report(frame, `an array with at least ${minimum}${most} fitting items`, value);
  };
}

function countItems(holds: (count: number, limit: number) => boolean, wording: string): CreateCheck {
  return (limit, { at }) => {
    const bound = asNumber(limit, at);
    return (value, frame) => {
      if (Array.isArray(value) && !holds(value.length, bound))
        report(frame, `an array of ${wording} ${bound} items`, value);
    };
  };
}

function checkUniqueItems(unique: unknown): Check | undefined {
  if (unique !== true) return undefined;
  return (value, frame) => {
    if (Array.isArray(value) && new Set(value.map(canonicalJson)).size !== value.length) {
      report(frame, "an array without repeated items", value);
    }
  };
}

function checkAllOf(schemas: unknown, { at, compile }: SchemaSite): Check {
  const checks = asSchemas(schemas, `${at}/allOf`, compile);
  return (value, frame) => {
    for (const check of checks) check(value, frame);
  };
}

function checkAnyOf(schemas: unknown, { at, compile }: SchemaSite): Check {
  const checks = asSchemas(schemas, `${at}/anyOf`, compile);
  return (value, frame) => {
    const failures: ValidationIssue[][] = [];
    for (const check of checks) {
      const trial = trialFrame(frame);
      check(value, trial);
      if (trial.issues.length === 0) return;
      failures.push(trial.issues);
    }
    reportNoFormFits(failures, value, frame);
  };
}

function checkOneOf(schemas: unknown, { at, compile }: SchemaSite): Check {
  const checks = asSchemas(schemas, `${at}/oneOf`, compile);
  return (value, frame) => {
    const trials = checks.map((check) => {
      const trial = trialFrame(frame);
      check(value, trial);
      return trial.issues;
    });
    const fitting = trials.filter((issues) => issues.length === 0).length;
    if (fitting === 0) reportNoFormFits(trials, value, frame);
    if (fitting > 1) report(frame, `exactly one of ${checks.length} forms (it fits ${fitting})`, value);
  };
}

/** Speaks of the form that came closest: the one whose first problem lies deepest, then the one with fewest. */
function reportNoFormFits(failures: ValidationIssue[][], value: unknown, frame: Frame): void {
  const here = pathOf(frame);
  const isAboutThisValue = (issues: ValidationIssue[]) => issues.every((issue) => issue.path === here);
  if (failures.every(isAboutThisValue)) {
    const expected = [...new Set(failures.flat().map((issue) => issue.expected))].join(" or ");
    report(frame, expected, value);
    return;
  }
  const closest = failures
    .filter((issues) => !isAboutThisValue(issues))
    .reduce((best, issues) => (issues.length < best.length ? issues : best));
  frame.issues.push(...closest);
}

function checkNot(schema: unknown, { at, compile }: SchemaSite): Check {
  const check = compile(schema, `${at}/not`);
  return (value, frame) => {
    if (passes(check, value, frame)) report(frame, "something other than this form", value);
  };
}

function checkCondition(condition: unknown, { schema, at, compile }: SchemaSite): Check {
  const check = compile(condition, `${at}/if`);
  const whenTrue = schema.then === undefined ? undefined : compile(schema.then, `${at}/then`);
  const whenFalse = schema.else === undefined ? undefined : compile(schema.else, `${at}/else`);
  return (value, frame) => {
    const branch = passes(check, value, frame) ? whenTrue : whenFalse;
    branch?.(value, frame);
  };
}

function passes(check: Check, value: unknown, frame: Frame): boolean {
  const trial = trialFrame(frame);
  check(value, trial);
  return trial.issues.length === 0;
}

function asSchemas(schemas: unknown, at: string, compile: SchemaSite["compile"]): Check[] {
  if (!Array.isArray(schemas)) throw new SchemaError(`${at} must be a list of schemas`);
  return schemas.map((schema, index) => compile(schema, `${at}/${index}`));
}

function asNames(names: unknown, at: string): string[] {
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
    throw new SchemaError(`${at}/required must be a list of names`);
  }
  return names;
}

function asNumber(limit: unknown, at: string): number {
  if (typeof limit !== "number")
    throw new SchemaError(`${at}: a limit must be a number; received ${JSON.stringify(limit)}`);
  return limit;
}
