import { isPlainObject } from "../json.ts";
import { arrayChecks } from "./checks/array-checks.ts";
import { combinationChecks } from "./checks/combination-checks.ts";
import { objectChecks } from "./checks/object-checks.ts";
import { numberChecks, stringChecks, valueChecks } from "./checks/value-checks.ts";
import { cloneJson, NotJsonError } from "./clone-json.ts";
import { report, type SchemaCheck, startInspection, TooComplexError } from "./inspection.ts";
import {
  issueOf,
  type JsonSchema,
  SchemaError,
  type Validation,
  type ValidationIssue,
} from "./json-schema.ts";
import { mapInnerSchemas } from "./map-inner-schemas.ts";
import { formsOfSameValue } from "./resolve-pointer.ts";
import type { CreateCheck } from "./schema-site.ts";

/**
 * Turns a JSON Schema 2020-12 into a check. The check works on a copy of the value, fills in defaults,
 * and names every problem with its path, the expected and the received value. `fillsDefaults` is off for schemas whose
 * library fills in its defaults itself.
 */
export function compileSchema(
  root: JsonSchema,
  { fillsDefaults = true } = {},
): (value: unknown) => Validation {
  const { check, defaults } = compileRoot(root);
  const fills = fillsDefaults && defaults.length > 0;
  if (fills) for (const each of defaults) refuseUnfitDefault(each);
  return (value) => {
    try {
      const copy = cloneJson(value);
      const inspection = startInspection(fills);
      check(copy, inspection);
      return inspection.failures === 0 ? { ok: true, value: copy } : { ok: false, issues: inspection.issues };
    } catch (error) {
      return { ok: false, issues: [toIssue(error)] };
    }
  };
}

interface DeclaredDefault {
  readonly value: unknown;
  readonly check: SchemaCheck;
  readonly at: string;
}

function compileRoot(root: JsonSchema) {
  try {
    return compileAll(root);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new SchemaError("the schema is nested too deeply to be checked", { cause: error });
    }
    throw error;
  }
}

function compileAll(root: JsonSchema) {
  const defaults: DeclaredDefault[] = [];
  const compiled = new Map<unknown, SchemaCheck>();
  const states: ReferenceStates = new Map();
  const compile = (schema: unknown, at: string): SchemaCheck => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    // Entered before its parts are compiled, so that a schema may refer to itself.
    let check: SchemaCheck = () => {};
    compiled.set(schema, (value, inspection) => check(value, inspection));
    check = compileOne(schema, at);
    compiled.set(schema, check);
    return check;
  };
  const compileOne = (schema: unknown, at: string): SchemaCheck => {
    if (schema === true) return () => {};
    if (schema === false) return (value, inspection) => report(inspection, "absent", value);
    if (!isPlainObject(schema)) throw new SchemaError(`${at} must be a schema (an object, true or false)`);
    refuseEndlessReference(schema, root, { at, states });
    refuseUnsupported(schema, at);
    if (schema !== root) refuseInnerResource(schema, at);
    const checks: SchemaCheck[] = [];
    for (const { keyword, create } of checksOf(schema)) {
      const check = create(schema[keyword], { schema, at, root, compile });
      if (check !== undefined) checks.push(check);
    }
    const check = joinChecks(checks);
    if (schema.default !== undefined) defaults.push({ value: schema.default, check, at });
    return check;
  };
  return { check: compile(root, "#"), defaults };
}

/** Schemas visited so far: still open, or known to terminate. */
type ReferenceStates = Map<JsonSchema, "entered" | "ends">;

/**
 * A schema may refer to itself for an inner value, as trees do. One that refers to itself for the same value would recurse
 * forever.
 */
function refuseEndlessReference(
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

function refuseUnsupported(schema: JsonSchema, at: string): void {
  for (const keyword of Object.keys(schema)) {
    if (unsupportedKeywords.has(keyword)) {
      throw new SchemaError(`${at}/${keyword} is not supported; it would be accepted but never checked`);
    }
  }
}

function joinChecks(checks: readonly SchemaCheck[]): SchemaCheck {
  if (checks.length === 1) return checks[0]!;
  return (value, inspection) => {
    for (const check of checks) check(value, inspection);
  };
}

/** Otherwise every call that leaves the parameter out would be refused for a value it never gave. */
function refuseUnfitDefault({ value, check, at }: DeclaredDefault): void {
  const inspection = startInspection(true);
  check(cloneJson(value), inspection);
  const [issue] = inspection.issues;
  if (issue !== undefined)
    throw new SchemaError(`${at}/default does not fit its own schema: ${issue.message}`);
}

function toIssue(error: unknown): ValidationIssue {
  if (error instanceof NotJsonError) return error.issue;
  if (!(error instanceof TooComplexError) && !(error instanceof RangeError)) throw error;
  const received =
    "a value that would have to be checked against too many combinations of the schema's alternatives";
  return issueOf("$", "a value that can be checked in reasonable time", received);
}

interface KeywordCheck {
  readonly keyword: string;
  readonly create: CreateCheck;
  /** Its place in the order in which problems are reported. */
  readonly place: number;
}

/** The checks of a schema, in the order in which problems are reported. */
function checksOf(schema: JsonSchema): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  for (const keyword of Object.keys(schema)) {
    const check = keywordChecks.get(keyword);
    if (check !== undefined) checks.push(check);
  }
  return checks.sort((one, other) => one.place - other.place);
}

const keywordChecks: ReadonlyMap<string, KeywordCheck> = new Map(
  Object.entries({
    ...valueChecks,
    ...stringChecks,
    ...numberChecks,
    ...objectChecks,
    ...arrayChecks,
    ...combinationChecks,
  }).map(([keyword, create], place) => [keyword, { keyword, create, place }]),
);

const unsupportedKeywords: ReadonlySet<string> = new Set([
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
  "$recursiveRef",
  "dependencies",
  "additionalItems",
]);

/** Below an inner `$id`, `#` no longer means the whole schema, which is how references are followed here. */
function refuseInnerResource(schema: JsonSchema, at: string): void {
  if (typeof schema.$id !== "string") return;
  const refuse = (inner: JsonSchema, pointer: string): JsonSchema => {
    if (inner.$ref !== undefined) {
      throw new SchemaError(
        `${pointer}/$ref stands below the $id of ${at}, which changes its target; leave that $id out`,
      );
    }
    mapInnerSchemas(inner, (next, _role, step) => refuse(next, `${pointer}/${step}`));
    return inner;
  };
  refuse(schema, at);
}
