import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { mapInnerSchemas } from "../../shared/json-schema/map-inner-schemas.ts";

/** The schema without our own formats, such as `path`: some clients warn of every one that they do not know. */
export function withStandardFormats(schema: JsonSchema): JsonSchema {
  const whole = mapInnerSchemas(schema, withStandardFormats);
  const { format, ...rest } = whole;
  return format === undefined || standardFormats.has(String(format)) ? whole : rest;
}

/** Those of JSON Schema 2020-12. */
const standardFormats = new Set([
  "date-time",
  "date",
  "time",
  "duration",
  "email",
  "idn-email",
  "hostname",
  "idn-hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "iri",
  "iri-reference",
  "uri-template",
  "uuid",
  "json-pointer",
  "relative-json-pointer",
  "regex",
]);
