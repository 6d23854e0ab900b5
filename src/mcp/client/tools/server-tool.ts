import type { Tool } from "@modelcontextprotocol/client";
import { canonicalJson, isPlainObject } from "../../../shared/json.ts";
import { type JsonSchema, SchemaError } from "../../../shared/json-schema/json-schema.ts";
import { sha256 } from "../../../shared/sha256.ts";
import type { PinContent } from "../approval/pin.ts";
import { cleanSchema } from "./clean-schema.ts";
import { capText, cleanText } from "./clean-text.ts";

/** A tool as its server describes it, with nothing in it that could deceive or hold up anybody. */
export interface ServerTool {
  /** As the server calls it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

export function parseServerTool(tool: Tool): ServerTool {
  if (needsTask(tool)) throw new Error("it can only be called as a task, which is not supported");
  const { name } = tool;
  const description = cleanText(tool.description ?? tool.title ?? "").trim();
  const outputSchema = tool.outputSchema && tryClean(tool.outputSchema);
  return {
    name,
    description: capText(
      description === "" ? `The tool ${cleanText(name)}.` : description,
      maxDescriptionBytes,
    ),
    inputSchema: { ...cleanSchema(tool.inputSchema), type: "object" },
    ...(outputSchema && { outputSchema }),
  };
}

/** The definition word for word, as it is compared with the one that was approved. */
export function toolContent({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): PinContent {
  const definition = { name, title, description, inputSchema, outputSchema, annotations };
  // Through its text once, so that what is undefined goes and keys lie in one order.
  const sorted: unknown = JSON.parse(canonicalJson(definition));
  const text = JSON.stringify(sorted, undefined, 2);
  return { text, hash: sha256(text) };
}

/** Why a name cannot even be spoken of. */
export function refuseToolName(name: string): string | undefined {
  if (name === "" || name.length > maxNameCharacters)
    return `a name of ${name.length} characters is not taken`;
  // Whoever approves it would approve all that waits.
  if (name === "*") return "its name stands for all of the server's tools";
  return cleanText(name) === name ? undefined : "its name contains hidden or control characters";
}

const maxDescriptionBytes = 2048;
const maxNameCharacters = 256;

/** In the protocol of 2025-11-25 a server can insist that a call is only begun, and its result fetched later. */
function needsTask(tool: Tool): boolean {
  return "execution" in tool && isPlainObject(tool.execution) && tool.execution.taskSupport === "required";
}

/** What a result is promised to look like is worth having, but no reason to do without the tool. */
function tryClean(schema: unknown): JsonSchema | undefined {
  try {
    return cleanSchema(schema);
  } catch (error) {
    if (error instanceof SchemaError || error instanceof RangeError) return undefined;
    throw error;
  }
}
