import { choicesOf } from "../../../tool/forms/field-choices.ts";
import type { FormField, FormFields } from "../../../tool/forms/form-fields.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** A form in the words that the client's protocol knows; refused where it has none for one of the fields. */
export function fieldsFor(fields: FormFields, protocol: string): FormFields {
  if (protocol === "" || protocol >= knowsTitles) return fields;
  const entries = Object.entries(fields).map(([name, field]) => [name, toDated(name, field)] as const);
  return Object.fromEntries(entries);
}

const knowsTitles = "2025-11-25";

function toDated(name: string, field: FormField): FormField {
  if (field.type === "array") {
    throw new ToolError("nobody-to-ask", `this client cannot put ${name}, where several may be chosen`, {
      hint: "Ask for one at a time, or use a newer client.",
    });
  }
  if (!("oneOf" in field)) return field;
  const { oneOf: _titled, ...others } = field;
  const choices = choicesOf(field) ?? [];
  return {
    ...others,
    enum: choices.map(({ value }) => value),
    enumNames: choices.map(({ title }) => title),
  };
}
