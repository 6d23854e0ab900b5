import { isPlainObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { type AnyTool, defineTool } from "../../../tool/define-tool.ts";
import type { SchemaDeclaration } from "../../../tool/input-schema.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { toAdoptedPart } from "./adopted-part.ts";

/** A tool as the AI SDK's `tool()` returns it, by its shape, so that `ai` need not be installed. */
export interface ForeignAiSdkTool {
  readonly description?: unknown;
  readonly inputSchema: unknown;
  // biome-ignore lint/complexity/noBannedTypes: the SDK's own signature depends on its type parameters
  readonly execute?: Function | undefined;
  // biome-ignore lint/complexity/noBannedTypes: the same
  readonly toModelOutput?: Function | undefined;
}

/** The AI SDK's tools as tools of this runtime: the object that `generateText` takes as `tools`. */
export function fromAiSdk(tools: Readonly<Record<string, ForeignAiSdkTool>>): AnyTool[] {
  return Object.entries(tools).map(([name, tool]) => adopt(name, tool));
}

function adopt(name: string, tool: ForeignAiSdkTool): AnyTool {
  const { execute, toModelOutput, description } = tool;
  if (typeof execute !== "function") {
    throw new TypeError(`${name}: a tool without execute cannot be called; it is for a model's own use`);
  }
  return defineTool({
    name,
    description: typeof description === "string" && description.trim() !== "" ? description : name,
    input: readSchema(name, tool.inputSchema),
    run: async (input: unknown, context: ToolContext) => {
      const { callId: toolCallId } = context;
      const options = {
        toolCallId,
        // Made when it is used, because most tools never look at it.
        get abortSignal() {
          return context.signal;
        },
        messages: [],
      };
      const returned: unknown = execute.call(tool, input, options);
      const output = await lastOf(returned, context);
      if (toModelOutput === undefined) return output;
      return fromModelOutput(await toModelOutput.call(tool, { toolCallId, input, output }), output);
    },
  });
}

/** The SDK takes libraries' schemas, its own `jsonSchema()`, and functions that return one of them. */
function readSchema(name: string, given: unknown): SchemaDeclaration {
  const isLazy = typeof given === "function" && !("~standard" in given);
  const schema: unknown = isLazy ? given() : given;
  if (!isPlainObject(schema) || !("jsonSchema" in schema)) return schema as SchemaDeclaration;
  if (schema.jsonSchema instanceof Promise) {
    throw new TypeError(`${name}: the schema is a promise; await it before`);
  }
  return schema.jsonSchema as JsonSchema;
}

/** A tool that yields values reports each of them as progress; the last one is its result. */
async function lastOf(returned: unknown, context: ToolContext): Promise<unknown> {
  const value = await returned;
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const each of value as AsyncIterable<unknown>) {
    last = each;
    context.progress(each);
  }
  return last;
}

function fromModelOutput(output: unknown, data: unknown): unknown {
  const { type, value } = output as { readonly type: string; readonly value: unknown };
  switch (type) {
    case "error-text":
    case "error-json":
      throw new ToolError("tool-failed", typeof value === "string" ? value : JSON.stringify(value));
    case "content":
      return { content: (value as readonly unknown[]).map(toAdoptedPart), data };
    default:
      return {
        content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
        data,
      };
  }
}
