import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { defined } from "../../shared/options/defined.ts";

/**
 * Moves properties with unusual names, such as `$filter`, into the description, because some vendors refuse the whole
 * request for one. The tool still accepts them when the model sends them.
 */
export function fitPropertyNames(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [], additionalProperties, description } = schema;
  const odd = new Set(Object.keys(properties).filter((name) => !fit.test(name)));
  if (odd.size === 0) return schema;
  const needed = new Set(required);
  const described = [...odd].map((name) => {
    const need = needed.has(name) ? " (required)" : "";
    return `${JSON.stringify(name)}${need}: ${JSON.stringify(properties[name])}`;
  });
  const note = `Also accepts the ${odd.size === 1 ? "property" : "properties"} ${described.join(", ")}`;
  const isNamed = (name: string) => !odd.has(name);
  return {
    ...schema,
    description: description === undefined ? note : `${description}\n${note}`,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isNamed(name))),
    ...defined({
      required: schema.required?.filter(isNamed),
      // A closed object would exclude them.
      additionalProperties: additionalProperties === false ? true : undefined,
    }),
  };
}

/** Anthropic's rule, the strictest. */
const fit = /^[a-zA-Z0-9_.-]{1,64}$/;
