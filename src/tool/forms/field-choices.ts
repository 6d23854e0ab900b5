import type { FormField, TitledChoice } from "./form-fields.ts";

export interface FieldChoice {
  readonly value: string;
  readonly title: string;
}

/** What can be chosen in a field, however it is written; undefined where anything can be said. */
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
