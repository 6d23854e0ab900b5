import type { FormField, TitledChoice } from "./form-fields.ts";

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
