import { closingKindOf } from "./closing-kind.ts";
import { formsOfSameValue } from "./forms-of-same-value.ts";
import type { JsonSchema } from "./json-schema.ts";
import { type InnerRole, mapInnerSchemas } from "./map-inner-schemas.ts";

/**
 * Schemas that somewhere describe only a part of a value. Closed on their own they would refuse properties of the other
 * parts, so the combining schema is closed instead.
 */
export function findOpenForms(root: JsonSchema): ReadonlySet<JsonSchema> {
  const openForms = new Set<JsonSchema>();
  const openUp = (schema: JsonSchema) => {
    const pending = formsOfSameValue(schema, root);
    for (let form = pending.pop(); form !== undefined; form = pending.pop()) {
      if (openForms.has(form)) continue;
      openForms.add(form);
      for (const inner of formsOfSameValue(form, root)) pending.push(inner);
    }
  };
  const visit = (schema: JsonSchema, role: InnerRole): JsonSchema => {
    const kind = closingKindOf(schema);
    const isWhole = role === "value" || role === "definition";
    if (role === "question" || (isWhole && (kind === "declares" || kind === "lists"))) openUp(schema);
    mapInnerSchemas(schema, (inner, innerRole) => visit(inner, roleInside(schema, { role, innerRole })));
    return schema;
  };
  visit(root, "value");
  return openForms;
}

/** Forms of a plain choice describe whole values too; schemas inside a `question` do not. */
function roleInside(
  schema: JsonSchema,
  { role, innerRole }: { role: InnerRole; innerRole: InnerRole },
): InnerRole {
  if (role === "question") return "question";
  if (innerRole !== "form" || role === "form") return innerRole;
  return closingKindOf(schema) === "choice" ? "value" : "form";
}
