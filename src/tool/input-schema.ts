import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { isPlainObject } from "../shared/json.ts";
import { cloneJson } from "../shared/json-schema/clone-json.ts";
import { closeSchema } from "../shared/json-schema/close-schema.ts";
import { compileSchema } from "../shared/json-schema/compile-schema.ts";
import { describeValue } from "../shared/json-schema/describe-value.ts";
import { formatPath } from "../shared/json-schema/format-path.ts";
import type { InferJsonSchema } from "../shared/json-schema/infer.ts";
import {
  type JsonSchema,
  SchemaError,
  type Validation,
  type ValidationIssue,
} from "../shared/json-schema/json-schema.ts";

/** A library's schema that can render itself as JSON Schema: Zod 4.2 and newer, ArkType, Valibot. */
export type RenderableSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

export type SchemaDeclaration = RenderableSchema | JsonSchema;

export type InferSchema<Schema> = Schema extends RenderableSchema
  ? StandardSchemaV1.InferOutput<Schema>
  : InferJsonSchema<Schema>;

/** A schema ready for use: as JSON Schema for the model, and as a check that returns typed, complete values. */
export interface CheckedSchema {
  readonly json: JsonSchema;
  validate(value: unknown): Validation | Promise<Validation>;
}

export function createCheckedSchema(declaration: SchemaDeclaration): CheckedSchema {
  if (isStandardSchema(declaration)) return fromStandardSchema(declaration);
  return fromJsonSchema(declaration);
}

function fromJsonSchema(schema: JsonSchema, { fillsDefaults = true } = {}) {
  const json = closeSchema(schema);
  return { json, validate: compileSchema(json, { fillsDefaults }) };
}

/** Checks the JSON Schema first, so that errors read the same for every library, then the library's own rules. */
function fromStandardSchema(schema: RenderableSchema): CheckedSchema {
  const { json, validate: validateShape } = fromJsonSchema(renderStandardSchema(schema), {
    fillsDefaults: false,
  });
  const copiesValue = hasObjectDefault(json);
  const validateRules = (value: unknown) => {
    const result = schema["~standard"].validate(value);
    const conclude = (settled: StandardSchemaV1.Result<unknown>) =>
      toValidation(settled, { value, copiesValue });
    return result instanceof Promise ? result.then(conclude) : conclude(result);
  };
  const validate = (value: unknown): Validation | Promise<Validation> => {
    const shape = validateShape(value);
    if (shape.ok) return validateRules(shape.value);
    // The library may be able to convert a value of the wrong type, such as "5" for a number.
    if (!shape.issues.every((issue) => issue.wrongType)) return shape;
    const coerced = validateRules(cloneJson(value));
    const choose = (settled: Validation) => (settled.ok ? settled : shape);
    return coerced instanceof Promise ? coerced.then(choose) : choose(coerced);
  };
  return { json, validate };
}

function isStandardSchema(declaration: SchemaDeclaration): declaration is RenderableSchema {
  if ((typeof declaration !== "object" && typeof declaration !== "function") || declaration === null) {
    throw new SchemaError("input must be a JSON Schema object or a Standard Schema such as z.object({ … })");
  }
  return "~standard" in declaration;
}

function renderStandardSchema(schema: RenderableSchema): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  if (typeof jsonSchema?.input !== "function") {
    throw new SchemaError(
      `this ${vendor} schema cannot render itself as JSON Schema, which models need; ` +
        "use Zod 4.2 or newer, another library with the Standard JSON Schema extension, or write the JSON Schema itself",
    );
  }
  try {
    // The JSON Schema dialect is the same for all tools; it is stated where the catalogue is rendered.
    const { $schema: _dialect, ...rendered } = jsonSchema.input({ target: "draft-2020-12" });
    return rendered;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SchemaError(`${vendor} cannot render this schema as JSON Schema: ${why}`, { cause });
  }
}

/** Libraries return such a default without copying it, so one call could change it for the next. */
function hasObjectDefault(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasObjectDefault);
  if (!isPlainObject(node)) return false;
  const isObject = typeof node.default === "object" && node.default !== null;
  return isObject || Object.values(node).some(hasObjectDefault);
}

function toValidation(
  result: StandardSchemaV1.Result<unknown>,
  { value, copiesValue }: { value: unknown; copiesValue: boolean },
): Validation {
  if (result.issues === undefined) {
    return { ok: true, value: copiesValue ? copyPlain(result.value) : result.value };
  }
  return { ok: false, issues: result.issues.map((issue) => toIssue(issue, value)) };
}

/** Copies plain objects and arrays deeply; other objects, such as dates made by a schema library, stay. */
function copyPlain(value: unknown, copies = new Map<unknown, unknown>()): unknown {
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    copies.set(value, copy);
    for (const item of value) copy.push(copyPlain(item, copies));
    return copy;
  }
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  copies.set(value, copy);
  for (const key of Object.keys(value)) copy[key] = copyPlain(value[key], copies);
  return copy;
}

function toIssue({ message, path = [] }: StandardSchemaV1.Issue, value: unknown): ValidationIssue {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  const where = formatPath(keys);
  const received = describeValue(keys.reduce(valueAt, value));
  return { path: where, expected: message, received, message: `${where}: ${message}; received ${received}` };
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<PropertyKey, unknown>)[key];
}
