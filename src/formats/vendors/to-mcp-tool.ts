import type { Tool } from "@modelcontextprotocol/server";
import type { PresentedTool } from "../../kernel/dialects/dialect-view.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { mapInnerSchemas } from "../../shared/json-schema/map-inner-schemas.ts";
import { toObjectSchema } from "./structured-content.ts";

/** A tool in the form of `tools/list`. */
export function toMcpTool({
  name,
  description,
  inputSchema,
  outputSchema,
  annotations,
  metadata,
}: PresentedTool): Tool {
  const { safetyLevel, ...hints } = annotations;
  const title = titleOf(name);
  return {
    name,
    title,
    description: description.toWellFormed(),
    // `defineTool` has checked that it is an object's schema.
    inputSchema: withStandardFormats(inputSchema) as Tool["inputSchema"],
    ...(outputSchema && {
      outputSchema: withStandardFormats(toObjectSchema(outputSchema)) as NonNullable<Tool["outputSchema"]>,
    }),
    annotations: { title, ...hints },
    _meta: { "toolwright/safetyLevel": safetyLevel, "toolwright/safety": metadata.safety },
  };
}

/** `file_read` and `FileRead` both become "File read". */
function titleOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .map((word) => (/^[A-Z0-9]+$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  return text === "" ? name : text[0]!.toUpperCase() + text.slice(1);
}

/** The schema without our own formats, such as `path`, because some clients warn of each format that they do not know. */
export function withStandardFormats(schema: JsonSchema): JsonSchema {
  const whole = mapInnerSchemas(schema, withStandardFormats);
  const { format, ...rest } = whole;
  return format === undefined || standardFormats.has(String(format)) ? whole : rest;
}

/** The formats of JSON Schema 2020-12. */
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
