import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import type { NamedValues } from "../params.ts";

export type FormFields = { readonly [name: string]: FormField };

/** One field in terms of JSON Schema. Required, unless it has `required: false` or a `default`. */
export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

export interface FieldBase {
  /** Label for the person. Default: the name. */
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface TextField extends FieldBase {
  readonly type: "string";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: "email" | "uri" | "date" | "date-time";
  readonly default?: string;
}

export interface NumberField extends FieldBase {
  readonly type: "number" | "integer";
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface BooleanField extends FieldBase {
  readonly type: "boolean";
  readonly default?: boolean;
}

/** One of several choices: `enum`, or `oneOf` if each has a title. */
export type ChoiceField = FieldBase & {
  readonly type: "string";
  readonly default?: string;
} & (
    | {
        readonly enum: readonly string[];
        /** Titles, as MCP had them before `oneOf`. */
        readonly enumNames?: readonly string[];
      }
    | { readonly oneOf: readonly TitledChoice[] }
  );

/** Any number of several choices, within `minItems` and `maxItems`. */
export interface ChoicesField extends FieldBase {
  readonly type: "array";
  readonly items:
    | { readonly type: "string"; readonly enum: readonly string[]; readonly enumNames?: never }
    | { readonly anyOf: readonly TitledChoice[] };
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

export interface TitledChoice {
  readonly const: string;
  readonly title: string;
}

export type FormAnswers = { readonly [name: string]: FieldValue };

export type FieldValue = string | number | boolean | readonly string[];

export type InferFields<Fields> = NamedValues<Fields, { [Name in keyof Fields]: InferField<Fields[Name]> }>;

export type InferField<Field> = Field extends { readonly type: "boolean" }
  ? boolean
  : Field extends { readonly type: "number" | "integer" }
    ? number
    : Field extends { readonly type: "array"; readonly items: infer Items }
      ? InferChoice<Items>[]
      : InferChoice<Field>;

export type InferChoice<Choices> = Choices extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Choices extends { readonly oneOf: readonly { readonly const: infer Value }[] }
    ? Value
    : Choices extends { readonly anyOf: readonly { readonly const: infer Value }[] }
      ? Value
      : string;

export interface FieldChoice {
  readonly value: string;
  readonly title: string;
}

/** The choices of a field, in whichever form they are declared; undefined for a field without choices. */
export function choicesOf(field: FormField): readonly FieldChoice[] | undefined {
  const list = field.type === "array" ? field.items : field;
  if ("anyOf" in list) return list.anyOf.map(fromTitled);
  if ("oneOf" in list) return list.oneOf.map(fromTitled);
  if (!("enum" in list)) return undefined;
  const { enum: values, enumNames = [] } = list;
  return values.map((value, index) => ({ value, title: enumNames[index] ?? value }));
}

function fromTitled({ const: value, title }: TitledChoice): FieldChoice {
  return { value, title };
}

/** A form as an MCP elicitation schema: the fields as declared, and which are required. */
export function formToJsonSchema(fields: FormFields): JsonSchema & { readonly required: readonly string[] } {
  const entries = Object.entries(fields);
  const properties = entries.map(([name, { required: _required, ...field }]) => [name, field] as const);
  const required = entries.filter(([, field]) => isRequired(field)).map(([name]) => name);
  return { type: "object", properties: Object.fromEntries(properties), required };
}

export function isRequired({ required, default: suggested }: FormField): boolean {
  return required ?? suggested === undefined;
}
