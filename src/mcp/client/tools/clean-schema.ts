import { isPlainObject } from "../../../shared/json.ts";
import { cloneJson } from "../../../shared/json-schema/clone-json.ts";
import { type JsonSchema, SchemaError } from "../../../shared/json-schema/json-schema.ts";
import { mapInnerSchemas } from "../../../shared/json-schema/map-inner-schemas.ts";
import { mapStrings } from "../../../shared/text/map-strings.ts";
import { capText, cleanText } from "./clean-text.ts";

/**
 * A server's schema as far as it can be trusted: no expressions, which could be made to take forever, nothing that is
 * looked up elsewhere, nothing hidden. Throws where nothing usable is left.
 */
export function cleanSchema(schema: unknown): JsonSchema {
  if (!isPlainObject(schema)) throw new SchemaError("the schema is not an object");
  const size = JSON.stringify(schema).length;
  if (size > maxSchemaCharacters) {
    throw new SchemaError(`the schema has ${size} characters; at most ${maxSchemaCharacters} are taken`);
  }
  const cleaned = cleanInner(cloneJson(schema) as JsonSchema);
  refuseHidden(cleaned);
  return cleaned;
}

/** The same without what a server's author may have written down without ever checking it. */
export function withoutDefaults(schema: JsonSchema): JsonSchema {
  const { default: _default, format: _format, ...rest } = schema;
  return mapInnerSchemas(rest, withoutDefaults);
}

const maxSchemaCharacters = 100_000;
const maxTextBytes = 2048;

function cleanInner(schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref === "string" && !schema.$ref.startsWith("#")) {
    throw new SchemaError("the schema refers to another document, which is not fetched");
  }
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !dropped.has(keyword)));
  for (const keyword of ["title", "description"]) {
    if (typeof kept[keyword] === "string") kept[keyword] = capText(cleanText(kept[keyword]), maxTextBytes);
  }
  // What the expressions would have let through must not be refused for their absence.
  if (schema.patternProperties !== undefined) delete kept.additionalProperties;
  const cleaned = mapInnerSchemas(kept, cleanInner);
  if (schema.patternProperties !== undefined) cleaned.additionalProperties = true;
  return cleaned;
}

const dropped = new Set([
  "pattern",
  "patternProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
  "$recursiveRef",
  "dependencies",
  "additionalItems",
  "$schema",
  "$id",
  "id",
  "$comment",
  "examples",
]);

/** Names and values are not changed, since the server compares them; so those with hidden characters are refused. */
function refuseHidden(schema: JsonSchema): void {
  const check = (text: string) => {
    if (cleanText(text) !== text) throw new SchemaError("the schema contains hidden or control characters");
    return text;
  };
  mapStrings(schema, { text: check, name: check });
}
