import { isPlainObject } from "../../../shared/json.ts";
import { SchemaError } from "../../../shared/json-schema/json-schema.ts";
import { defined } from "../../../shared/options/defined.ts";
import { mapValues } from "../../../shared/options/option.ts";
import { capText, cleanText } from "../../../shared/text/clean-text.ts";
import { createFormCheck } from "../../../tool/forms/form-check.ts";
import type { FormField, FormFields } from "../../../tool/forms/form-fields.ts";
import type { FormQuestion } from "../../../tool/services/question.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** Reads a server's form into the shape that our own tools use, of bounded size. Throws if it cannot be shown. */
export function readForm(params: unknown): FormQuestion {
  if (!isPlainObject(params) || !isPlainObject(params.requestedSchema)) throw unusable("it has no form");
  const { message, requestedSchema } = params;
  if (JSON.stringify(requestedSchema).length > maxFormCharacters) throw unusable("its form is too large");
  const { properties, required } = requestedSchema;
  if (!isPlainObject(properties)) throw unusable("its form has no fields");
  const entries = Object.entries(properties);
  if (entries.length > maxFields) throw unusable(`its form has more than ${maxFields} fields`);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = entries.map(([name, field]) => {
    if (!isShowable(name)) throw unusable("a field's name contains hidden or control characters");
    return [name, { ...readField(field), required: needed.includes(name) }] as const;
  });
  const text = capText(cleanText(typeof message === "string" ? message : ""), maxMessageBytes);
  return { text, fields: firstUsable(Object.fromEntries(fields)) };
}

const maxFields = 100;
const maxFormCharacters = 100_000;
const maxMessageBytes = 16_384;
const maxTitleBytes = 500;
const maxDescriptionBytes = 2048;

/** Keeps only what our forms know; `createFormCheck` decides whether that is a valid field. */
function readField(field: unknown): FormField {
  if (!isPlainObject(field)) throw unusable("a field is not an object");
  const { items, title, description } = field;
  const kept = defined({
    ...pick(field, { type: isText, minLength: isNumber, maxLength: isNumber, format: isFormat }),
    ...pick(field, { minimum: isNumber, maximum: isNumber, minItems: isNumber, maxItems: isNumber }),
    ...pick(field, { default: isFieldValue }),
    ...readChoices(field),
    items: isPlainObject(items) ? { ...pick(items, { type: isText }), ...readChoices(items) } : undefined,
    title: isText(title) ? readWord(title, maxTitleBytes) : undefined,
    description: isText(description) ? readWord(description, maxDescriptionBytes) : undefined,
  });
  return kept as FormField;
}

function pick(
  from: Record<string, unknown>,
  fits: Readonly<Record<string, (value: unknown) => boolean>>,
): Record<string, unknown> {
  const names = Object.keys(fits).filter((name) => Object.hasOwn(from, name) && fits[name]!(from[name]));
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

/** The server gets the chosen value back unchanged, so values with hidden characters are refused. */
function readChoices(list: Record<string, unknown>): Record<string, unknown> {
  const { enum: values, enumNames } = list;
  const titled = ["oneOf", "anyOf"].flatMap((name) => (Array.isArray(list[name]) ? name : []));
  return {
    ...defined({
      enum: Array.isArray(values) ? values.map(readValue) : undefined,
      enumNames: Array.isArray(enumNames)
        ? enumNames.map((title) => readWord(title, maxTitleBytes))
        : undefined,
    }),
    ...Object.fromEntries(titled.map((name) => [name, (list[name] as unknown[]).map(readTitled)])),
  };
}

function readTitled(choice: unknown): { const: string; title: string } {
  if (!isPlainObject(choice)) throw unusable("a choice is not an object");
  return { const: readValue(choice.const), title: readWord(choice.title ?? choice.const, maxTitleBytes) };
}

function readValue(value: unknown): string {
  if (!isText(value) || !isShowable(value))
    throw unusable("a choice is not a string, or contains hidden or control characters");
  return value;
}

function readWord(text: unknown, maxBytes: number): string {
  return capText(cleanText(String(text)), maxBytes);
}

/** Servers' defaults are seldom checked by their authors: an invalid one costs the defaults, not the whole form. */
function firstUsable(fields: FormFields): FormFields {
  const bare = mapValues(fields, ({ default: _unfit, ...field }): FormField => field);
  for (const each of [fields, bare]) {
    try {
      createFormCheck(each);
      return each;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
    }
  }
  throw unusable("its form has fields of an unknown kind");
}

function isShowable(text: string): boolean {
  return cleanText(text) === text;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return Number.isFinite(value);
}

function isFormat(value: unknown): boolean {
  return ["email", "uri", "date", "date-time"].some((format) => format === value);
}

function isFieldValue(value: unknown): boolean {
  if (isText(value)) return isShowable(value);
  return isNumber(value) || typeof value === "boolean" || (Array.isArray(value) && value.every(isText));
}

function unusable(why: string): ToolError {
  return new ToolError("tool-failed", `the server's question cannot be shown to the user: ${why}`);
}
