import { isPlainObject } from "../../../shared/json.ts";
import { cloneJson } from "../../../shared/json-schema/clone-json.ts";
import { type JsonSchema, SchemaError } from "../../../shared/json-schema/json-schema.ts";
import { mapInnerSchemas } from "../../../shared/json-schema/map-inner-schemas.ts";
import { capText, cleanText } from "../../../shared/text/clean-text.ts";
import { mapStrings } from "../../../shared/text/map-strings.ts";

/**
 * Reduces a server's schema to what can be trusted: no regular expressions, which could take forever, no references to
 * other documents, no hidden characters. Throws if the schema cannot be used.
 */
export function cleanSchema(schema: unknown): JsonSchema {
  if (!isPlainObject(schema)) throw new SchemaError("the schema is not an object");
  const size = JSON.stringify(schema).length;
  if (size > maxSchemaCharacters) {
    throw new SchemaError(`the schema has ${size} characters; the limit is ${maxSchemaCharacters}`);
  }
  const cleaned = cleanInner(cloneJson(schema) as JsonSchema);
  refuseHidden(cleaned);
  return cleaned;
}

/** The schema without defaults and formats, which authors of servers seldom check. */
export function withoutDefaults(schema: JsonSchema): JsonSchema {
  const { default: _default, format: _format, ...rest } = schema;
  return mapInnerSchemas(rest, withoutDefaults);
}

const maxSchemaCharacters = 100_000;
const maxTextBytes = 2048;

function cleanInner(schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref === "string" && !schema.$ref.startsWith("#")) {
    throw new SchemaError("the schema refers to another document; only references within it are supported");
  }
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !dropped.has(keyword)));
  for (const keyword of ["title", "description"]) {
    if (typeof kept[keyword] === "string") kept[keyword] = capText(cleanText(kept[keyword]), maxTextBytes);
  }
  // Properties that the dropped patterns would have allowed must not be refused now.
  if (schema.patternProperties !== undefined) delete kept.additionalProperties;
  const cleaned = mapInnerSchemas(kept, cleanInner);
  if (schema.patternProperties !== undefined) cleaned.additionalProperties = true;
  return cleaned;
}

const dropped: ReadonlySet<string> = new Set(
  (
    "pattern patternProperties unevaluatedProperties unevaluatedItems $dynamicRef $recursiveRef dependencies " +
    "additionalItems $schema $id id $comment examples"
  ).split(" "),
);

/** Refuses names and values with hidden characters: they cannot be cleaned, since the server compares them. */
function refuseHidden(schema: JsonSchema): void {
  const check = (text: string) => {
    if (cleanText(text) !== text) throw new SchemaError("the schema contains hidden or control characters");
    return text;
  };
  mapStrings(schema, { text: check, name: check });
}
