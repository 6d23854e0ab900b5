import { closingKindOf } from "./closing-kind.ts";
import { formsOfSameValue } from "./forms-of-same-value.ts";
import type { JsonSchema } from "./json-schema.ts";
import { type InnerRole, mapInnerSchemas } from "./map-inner-schemas.ts";

/**
 * The schemas that somewhere tell only a part of a value. Closed by themselves they would refuse what the
 * other parts allow, so whoever combines them has to close the whole.
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

/** The forms of a plain choice are whole values too; all that is inside a question belongs to the question. */
function roleInside(
  schema: JsonSchema,
  { role, innerRole }: { role: InnerRole; innerRole: InnerRole },
): InnerRole {
  if (role === "question") return "question";
  if (innerRole !== "form" || role === "form") return innerRole;
  return closingKindOf(schema) === "choice" ? "value" : "form";
}
