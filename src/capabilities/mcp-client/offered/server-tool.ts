import type { Tool } from "@modelcontextprotocol/client";
import { sha256 } from "../../../shared/crypto.ts";
import { canonicalJson, isPlainObject } from "../../../shared/json.ts";
import { type JsonSchema, SchemaError } from "../../../shared/json-schema/json-schema.ts";
import { capText, cleanText } from "../../../shared/text/clean-text.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import type { PinContent } from "../approval/pins.ts";
import { cleanSchema } from "./clean-schema.ts";

/** A tool as its server describes it, checked and cleaned. */
export interface ServerTool {
  /** The server's own name for it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
}

export function parseServerTool(tool: Tool): ServerTool {
  if (needsTask(tool)) throw new Error("it must be called as an MCP task, which is not supported");
  const { name } = tool;
  const description = cleanText(tool.description ?? tool.title ?? "").trim();
  return {
    name,
    description: capText(description || `The tool ${cleanText(name)}.`, maxDescriptionBytes),
    inputSchema: { ...cleanSchema(tool.inputSchema), type: "object" },
    outputSchema: tool.outputSchema && tryClean(tool.outputSchema),
  };
}

/** The exact definition, for comparison with the approved one. */
export function toolContent(tool: Tool): PinContent {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const definition = { name, title, description, inputSchema, outputSchema, annotations };
  // Serialised once, to drop undefined fields and sort the keys.
  const sorted: unknown = JSON.parse(canonicalJson(definition));
  const text = JSON.stringify(sorted, undefined, 2);
  return { text, hash: sha256(text) };
}

/** Why a tool's name cannot be used. */
export function refuseToolName(name: string): string | undefined {
  if (name === "" || name.length > maxNameCharacters)
    return `its name has ${countOf(name.length, "character")}; 1 to ${maxNameCharacters} are allowed`;
  // Approving `mcp:server/*` approves all pending tools.
  if (name === "*") return "its name is reserved for all of the server's tools";
  return cleanText(name) === name ? undefined : "its name contains hidden or control characters";
}

const maxDescriptionBytes = 2048;
const maxNameCharacters = 256;

/** In protocol 2025-11-25, a server can require that a call only starts a task whose result is fetched later. */
function needsTask(tool: Tool): boolean {
  return "execution" in tool && isPlainObject(tool.execution) && tool.execution.taskSupport === "required";
}

/** An output schema is optional: a tool whose schema cannot be used is offered without it. */
function tryClean(schema: unknown): JsonSchema | undefined {
  try {
    return cleanSchema(schema);
  } catch (error) {
    if (error instanceof SchemaError || error instanceof RangeError) return undefined;
    throw error;
  }
}
