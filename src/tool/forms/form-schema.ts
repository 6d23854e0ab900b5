import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import type { FormField, FormFields } from "./form-fields.ts";

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
