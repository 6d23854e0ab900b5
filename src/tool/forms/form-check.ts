import { isPlainObject } from "../../shared/json.ts";
import { closeSchema } from "../../shared/json-schema/close-schema.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import { describeValue } from "../../shared/json-schema/describe-value.ts";
import { formatPath } from "../../shared/json-schema/format-path.ts";
import {
  issueOf,
  type JsonSchema,
  SchemaError,
  type Validation,
  type ValidationIssue,
} from "../../shared/json-schema/json-schema.ts";
import { defined } from "../../shared/options/defined.ts";
import {
  choicesOf,
  type FieldChoice,
  type FormAnswers,
  type FormField,
  type FormFields,
  formToJsonSchema,
} from "./form-fields.ts";

/**
 * Returns a check for answers: it fills in defaults and reports every problem by its field. Throws a SchemaError for
 * fields that cannot be filled in.
 */
export function createFormCheck(fields: FormFields): (answers: unknown) => Validation<FormAnswers> {
  if (!isPlainObject(fields)) throw new SchemaError("fields must be an object with a field for each name");
  for (const [name, field] of Object.entries(fields)) refuseUnusable(name, field);
  const check = compileSchema(closeSchema(toCheckedSchema(fields)));
  return (answers) => {
    const validation = check(answers);
    if (!validation.ok) return validation;
    const value = validation.value as FormAnswers;
    const issues = Object.entries(value).flatMap(([name, text]) => findMisformat(name, fields[name]!, text));
    return issues.length > 0 ? { ok: false, issues } : { ok: true, value };
  };
}

function refuseUnusable(name: string, field: FormField): void {
  const types: readonly unknown[] = ["string", "number", "integer", "boolean", "array"];
  if (!isPlainObject(field) || !types.includes(field.type)) {
    throw new SchemaError(`fields.${name} needs a type, one of ${types.join(", ")}`);
  }
  for (const word of ["title", "description"] as const) {
    if (!["string", "undefined"].includes(typeof field[word]))
      throw new SchemaError(`fields.${name}.${word} must be a string`);
  }
  const choices = readChoices(field);
  if (field.type === "array" && choices === undefined) {
    throw new SchemaError(`fields.${name}.items needs the choices, as enum or as anyOf`);
  }
  if (choices !== undefined && (choices.length === 0 || !choices.every(isUsableChoice))) {
    throw new SchemaError(`fields.${name} needs at least one choice, and each must be a string`);
  }
  const [issue] = typeof field.default === "string" ? findMisformat(name, field, field.default) : [];
  if (issue !== undefined)
    throw new SchemaError(`the default of fields.${name} is invalid: ${issue.message}`);
}

/** Empty if the choices are not a list. */
function readChoices(field: FormField): readonly FieldChoice[] | undefined {
  const list: unknown = field.type === "array" ? field.items : field;
  if (!isPlainObject(list)) return undefined;
  const written = ["enum", "enumNames", "oneOf", "anyOf"].filter((keyword) => keyword in list);
  return written.every((keyword) => isFullList(list[keyword])) ? choicesOf(field) : [];
}

function isFullList(list: unknown): boolean {
  return Array.isArray(list) && !list.includes(null) && !list.includes(undefined);
}

function isUsableChoice({ value, title }: { value: unknown; title: unknown }): boolean {
  return typeof value === "string" && typeof title === "string";
}

/** All forms of choices are checked as a list of values, so that problems read the same. */
function toCheckedSchema(fields: FormFields): JsonSchema {
  const properties = Object.entries(fields).map(([name, field]) => [name, toCheckedField(field)] as const);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: formToJsonSchema(fields).required,
  };
}

function toCheckedField(field: FormField): JsonSchema {
  const { title: _title, description: _description, required: _required, ...rules } = field;
  const values = choicesOf(field)?.map(({ value }) => value);
  if (values === undefined) return rules;
  const suggested = field.default === undefined ? {} : { default: field.default };
  if (field.type !== "array") return { type: "string", enum: values, ...suggested };
  const { minItems, maxItems } = field;
  return {
    type: "array",
    items: { type: "string", enum: values },
    uniqueItems: true,
    ...defined({ minItems, maxItems }),
    ...suggested,
  };
}

function findMisformat(name: string, field: FormField, text: unknown): ValidationIssue[] {
  const format = field.type === "string" && "format" in field ? formats.get(field.format ?? "") : undefined;
  if (format === undefined || typeof text !== "string" || format.isFit(text)) return [];
  return [issueOf(formatPath([name]), format.expected, describeValue(text))];
}

const formats: ReadonlyMap<string, { expected: string; isFit: (text: string) => boolean }> = new Map([
  [
    "email",
    { expected: "an email address", isFit: (text) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text) },
  ],
  ["uri", { expected: "an absolute URL", isFit: (text) => !/\s/.test(text) && URL.canParse(text) }],
  ["date", { expected: "a date such as 2026-01-31", isFit: isDate }],
  ["date-time", { expected: "a date and time such as 2026-01-31T12:00:00Z", isFit: isDateTime }],
]);

/** Parsing turns April 31 into May 1, which shows that the date is invalid. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(text);
  return parts !== null && isDate(parts[1]!) && !Number.isNaN(Date.parse(text.toUpperCase()));
}
