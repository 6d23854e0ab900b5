/** A JSON Schema 2020-12 object, as far as our own code looks into it; other keywords are carried along. */
export interface JsonSchema {
  readonly type?: JsonType | readonly JsonType[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly [keyword: string]: unknown;
}

export type JsonType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

export interface ValidationIssue {
  /** Where in the value, as in `$.edits[0].path`. */
  readonly path: string;
  readonly expected: string;
  readonly received: string;
  readonly message: string;
  /** Set where the value is of another type, which a schema library that coerces may mend. */
  readonly wrongType?: true;
}

/** The problem of a value at a path, in the words that all of them have. */
export function issueOf(path: string, expected: string, received: string): ValidationIssue {
  return { path, expected, received, message: `${path} must be ${expected}; received ${received}` };
}

export type Validation<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** A schema that cannot be checked as written; raised when a tool is defined, never when it is called. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}
