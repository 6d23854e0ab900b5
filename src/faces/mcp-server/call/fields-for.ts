import { choicesOf } from "../../../tool/forms/field-choices.ts";
import type { FormField, FormFields } from "../../../tool/forms/form-fields.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** Translates a form to what the client's protocol supports. Throws if it has no equivalent for a field. */
export function fieldsFor(fields: FormFields, protocol: string): FormFields {
  if (protocol === "" || protocol >= knowsTitles) return fields;
  const entries = Object.entries(fields).map(([name, field]) => [name, toLegacy(name, field)] as const);
  return Object.fromEntries(entries);
}

const knowsTitles = "2025-11-25";

function toLegacy(name: string, field: FormField): FormField {
  if (field.type === "array") {
    throw new ToolError("nobody-to-ask", `this client cannot show ${name}, which allows several choices`, {
      hint: "Ask for one choice at a time, or use a newer client.",
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
