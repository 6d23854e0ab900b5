import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";

/**
 * The schema of an object with named properties, for vendors that refuse a whole request for a property such as `$filter`.
 * Those with odd names are told of in words, and taken like all others when the model gives them.
 */
export function fitPropertyNames(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [], additionalProperties, description } = schema;
  const odd = Object.keys(properties).filter((name) => !fit.test(name));
  if (odd.length === 0) return schema;
  const told = odd.map((name) => {
    const need = required.includes(name) ? " (required)" : "";
    return `${JSON.stringify(name)}${need}: ${JSON.stringify(properties[name])}`;
  });
  const note = `It also has the properties ${told.join(", ")}`;
  const isNamed = (name: string) => !odd.includes(name);
  return {
    ...schema,
    description: description === undefined ? note : `${description}\n${note}`,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isNamed(name))),
    ...(schema.required !== undefined && { required: required.filter(isNamed) }),
    // Closed, there would be no room for them.
    ...(additionalProperties === false && { additionalProperties: true }),
  };
}

/** Anthropic's rule, which is the narrowest. */
const fit = /^[a-zA-Z0-9_.-]{1,64}$/;
