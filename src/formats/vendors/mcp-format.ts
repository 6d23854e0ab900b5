import type { ContentBlock, Tool as McpTool } from "@modelcontextprotocol/server";
import type { PresentedTool } from "../../kernel/dialects/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { mapInnerSchemas } from "../../shared/json-schema/map-inner-schemas.ts";
import { defined } from "../../shared/options/defined.ts";
import { type ContentPart, partToText } from "../../tool/content-part.ts";
import { asFields } from "../fields.ts";
import { readArguments } from "../read-arguments.ts";
import { hasFailed } from "../result-content.ts";
import type { CallAnswer, ToolFormat } from "../tool-format.ts";

/** The result of `tools/call`. */
export interface McpToolResult {
  readonly content: ContentBlock[];
  readonly structuredContent?: { readonly [name: string]: unknown };
  readonly isError?: true;
}

/** The Model Context Protocol: a message is a `tools/call` request. */
export const mcpFormat: ToolFormat<McpTool[], McpToolResult> = {
  limitsNames: false,
  renderTools: (tools) => tools.map(toMcpTool),
  readCalls(message) {
    const fields = asFields(message);
    const params = fields?.method === "tools/call" ? asFields(fields.params) : undefined;
    if (typeof params?.name !== "string") return [];
    return [{ name: params.name, ...readArguments(params.arguments) }];
  },
  renderAnswers: (answers) => answers.map(toMcpResult),
};

/** A call's result in MCP's form; it always has some content. */
function toMcpResult(answer: CallAnswer): McpToolResult {
  const { data, text, content } = answer.result;
  const isStructured = data !== undefined && !hasFailed(answer);
  return {
    content: (content.length > 0 ? content : [{ type: "text" as const, text }]).map(toMcpBlock),
    ...(isStructured && { structuredContent: toStructuredContent(data, answer.outputSchema()) }),
    ...(hasFailed(answer) && { isError: true }),
  };
}

/** A tool in the form of `tools/list`. */
export function toMcpTool(tool: PresentedTool): McpTool {
  const { name, description, inputSchema, outputSchema, annotations, metadata } = tool;
  const { safetyLevel, ...hints } = annotations;
  const title = titleOf(name);
  return {
    name,
    title,
    description: description.toWellFormed(),
    // `defineTool` has checked that it is an object's schema.
    inputSchema: withStandardFormats(inputSchema) as McpTool["inputSchema"],
    ...(outputSchema && {
      outputSchema: withStandardFormats(toObjectSchema(outputSchema)) as NonNullable<McpTool["outputSchema"]>,
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
const standardFormats: ReadonlySet<string> = new Set(
  (
    "date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri " +
    "iri-reference uri-template uuid json-pointer relative-json-pointer regex"
  ).split(" "),
);

/**
 * A tool's output schema as MCP has it. Most versions of the protocol allow only an object, so any other value is
 * announced, and sent, as the `result` of one; in the newest version too, so that a tool has one form for all clients.
 */
export function toObjectSchema(schema: JsonSchema): JsonSchema {
  if (schema.type === "object") return schema;
  const { $schema, $id: _identifier, ...own } = schema;
  return {
    ...defined({ $schema }),
    type: "object",
    properties: { result: moveReferences(own, "#/properties/result") },
    required: ["result"],
  };
}

/** A result's data as `toObjectSchema` announces it. */
export function toStructuredContent(data: unknown, schema: JsonSchema | undefined): Record<string, unknown> {
  const isObject = schema === undefined || schema.type === "object";
  return isObject && isPlainObject(data) ? data : { result: data };
}

/** Moves a schema's references, so that the schema can stand at another place inside a larger one. */
export function moveReferences(schema: JsonSchema, to: string): JsonSchema {
  const moved = mapInnerSchemas(schema, (inner) => moveReferences(inner, to));
  const { $ref } = schema;
  const isLocal = typeof $ref === "string" && ($ref === "#" || $ref.startsWith("#/"));
  return isLocal ? { ...moved, $ref: `${to}${$ref.slice(1)}` } : moved;
}

/** A part of a result in MCP's form. A part that would make the whole result invalid for a client becomes text. */
export function toMcpBlock(part: ContentPart): ContentBlock {
  if (!isReadable(part)) return asText(part);
  switch (part.type) {
    case "image":
    case "audio":
      return { type: part.type, data: part.data, mimeType: part.mimeType };
    case "resource": {
      const about = { uri: part.uri.toWellFormed(), ...defined({ mimeType: part.mimeType }) };
      const { text } = part;
      if (text === undefined) return { type: "resource", resource: { ...about, blob: part.blob } };
      return { type: "resource", resource: { ...about, text: text.toWellFormed() } };
    }
    case "link": {
      const { uri, name, title, description, mimeType, sizeBytes } = part;
      return {
        type: "resource_link",
        uri: uri.toWellFormed(),
        name: name.toWellFormed(),
        ...defined({
          title: title?.toWellFormed(),
          description: description?.toWellFormed(),
          mimeType,
          size: sizeBytes,
        }),
      };
    }
    default:
      return asText(part);
  }
}

function isReadable(part: ContentPart): boolean {
  if (part.type === "image" || part.type === "audio") return isBase64(part.data);
  return part.type !== "resource" || part.blob === undefined || isBase64(part.blob);
}

/** The same check that MCP clients use. */
function isBase64(text: string): boolean {
  try {
    atob(text);
    return true;
  } catch {
    return false;
  }
}

function asText(part: ContentPart): ContentBlock {
  return { type: "text", text: partToText(part).toWellFormed() };
}
