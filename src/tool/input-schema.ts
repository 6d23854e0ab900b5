import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { closeSchema } from "../shared/json-schema/close-schema.ts";
import { compileSchema } from "../shared/json-schema/compile-schema.ts";
import type { InferJsonSchema } from "../shared/json-schema/infer.ts";
import {
  type JsonSchema,
  SchemaError,
  type Validation,
  type ValidationIssue,
} from "../shared/json-schema/json-schema.ts";

/** A schema library's own schema that can also show itself as JSON Schema: Zod 4.2 and newer, ArkType, Valibot. */
export type RenderableSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

export type SchemaDeclaration = RenderableSchema | JsonSchema;

export type InferSchema<Schema> = Schema extends RenderableSchema
  ? StandardSchemaV1.InferOutput<Schema>
  : InferJsonSchema<Schema>;

/** A schema ready for use: rendered for the model, and a check that gives typed, complete values. */
export interface CheckedSchema {
  readonly json: JsonSchema;
  validate(value: unknown): Validation | Promise<Validation>;
}

export function createCheckedSchema(declaration: SchemaDeclaration): CheckedSchema {
  if (isStandardSchema(declaration)) return fromStandardSchema(declaration);
  return fromJsonSchema(declaration);
}

function fromJsonSchema(schema: JsonSchema) {
  const json = closeSchema(schema);
  return { json, validate: compileSchema(json) };
}

/** The JSON Schema is checked first, so every kind of declaration refuses in the same words; then the library's own rules. */
function fromStandardSchema(schema: RenderableSchema): CheckedSchema {
  const { json, validate: validateShape } = fromJsonSchema(renderStandardSchema(schema));
  const validate = (value: unknown): Validation | Promise<Validation> => {
    const shape = validateShape(value);
    if (!shape.ok) return shape;
    const result = schema["~standard"].validate(shape.value);
    return result instanceof Promise ? result.then(toValidation) : toValidation(result);
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
      `this ${vendor} schema cannot render itself as JSON Schema, so no model could be told of it; ` +
        "use Zod 4.2 or newer, another library with the Standard JSON Schema extension, or write the JSON Schema itself",
    );
  }
  try {
    return jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SchemaError(`${vendor} cannot render this schema as JSON Schema: ${why}`, { cause });
  }
}

function toValidation(result: StandardSchemaV1.Result<unknown>): Validation {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.map(toIssue) };
}

function toIssue({ message, path = [] }: StandardSchemaV1.Issue): ValidationIssue {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  const where = keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return {
    path: `$${where}`,
    expected: message,
    received: "a value that breaks this rule",
    message: `$${where}: ${message}`,
  };
}
