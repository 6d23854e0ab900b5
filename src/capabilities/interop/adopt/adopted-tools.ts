import { isPlainObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { defined } from "../../../shared/options/defined.ts";
import { type AnyTool, defineTool } from "../../../tool/define-tool.ts";
import { createCheckedSchema, type SchemaDeclaration } from "../../../tool/input-schema.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ContentPart } from "../../../tool/tool-result.ts";

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
  if (type === "content") return { content: (value as readonly unknown[]).map(toAdoptedPart), data };
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (type === "error-text" || type === "error-json") throw new ToolError("tool-failed", text);
  return { content: [{ type: "text", text }], data };
}

/** A LangChain tool, by its shape, so that LangChain need not be installed. */
export interface ForeignLangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  // biome-ignore lint/complexity/noBannedTypes: LangChain's own signature depends on its type parameters
  readonly invoke: Function;
}

/** LangChain's tools as tools of this runtime. */
export function fromLangChain(tools: readonly ForeignLangChainTool[]): AnyTool[] {
  return tools.map((tool) =>
    defineTool({
      name: tool.name,
      description: tool.description || tool.name,
      // As JSON Schema: LangChain applies its own schema, with its conversions, to the plain arguments.
      input: createCheckedSchema(tool.schema as SchemaDeclaration).json,
      run: async (args: unknown, { callId, signal }: ToolContext) => {
        // Called with a whole call, it returns a message, which also has data that the model is not shown.
        const call = { type: "tool_call", id: callId, name: tool.name, args };
        return fromMessage(await tool.invoke(call, { signal }));
      },
    }),
  );
}

function fromMessage(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("content" in message)) return message;
  const { content, artifact, status } = message as Record<string, unknown>;
  const parts = Array.isArray(content) ? content.map(toAdoptedPart) : [toAdoptedPart(content)];
  if (status === "error") {
    const texts = parts.map((part) => (part.type === "text" ? part.text : ""));
    throw new ToolError("tool-failed", texts.join("\n") || "the tool reported an error without a message");
  }
  return { content: parts, data: artifact ?? parseData(content) };
}

/** LangChain writes what a tool returns as JSON; code still wants the value. */
function parseData(content: unknown): unknown {
  if (typeof content !== "string" || !/^[[{]/.test(content)) return undefined;
  try {
    const value: unknown = JSON.parse(content);
    return isPlainObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A function tool of the OpenAI Agents SDK, by its shape, so that the SDK need not be installed. */
export interface ForeignOpenAiAgentsTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly timeoutMs?: number | undefined;
  // biome-ignore lint/complexity/noBannedTypes: the SDK's own signatures depend on its type parameters
  readonly invoke: Function;
  // biome-ignore lint/complexity/noBannedTypes: the same
  readonly needsApproval?: Function;
  // biome-ignore lint/complexity/noBannedTypes: the same
  readonly isEnabled?: Function;
}

export interface OpenAiAgentsOptions {
  /** The SDK's run context, which tools get beside their arguments, such as `new RunContext(…)`. */
  readonly runContext?: unknown;
}

/** Function tools of the OpenAI Agents SDK as tools of this runtime. */
export function fromOpenAiAgents(
  tools: readonly ForeignOpenAiAgentsTool[],
  { runContext = { context: {} } }: OpenAiAgentsOptions = {},
): AnyTool[] {
  return tools.map((tool) => {
    const { name, description, parameters, timeoutMs } = tool;
    return defineTool({
      name,
      description: description || name,
      input: parameters as JsonSchema,
      traits: defined({ timeoutMs }),
      run: async (input: unknown, context: ToolContext) => {
        if (tool.isEnabled !== undefined || tool.needsApproval !== undefined)
          await refuseUnwanted(tool, input, { runContext, context });
        const text = JSON.stringify(input);
        const details = {
          toolCall: { type: "function_call", callId: context.callId, name, arguments: text },
          // Made when it is used, because most tools never look at it.
          get signal() {
            return context.signal;
          },
        };
        return fromOutput(await tool.invoke(runContext, text, details));
      },
    });
  });
}

/** Refuses a call that the SDK's own runner would not make. */
async function refuseUnwanted(
  { name, isEnabled, needsApproval }: ForeignOpenAiAgentsTool,
  input: unknown,
  { runContext, context }: { readonly runContext: unknown; readonly context: ToolContext },
): Promise<void> {
  if (isEnabled !== undefined && !(await isEnabled(runContext, {})))
    throw new ToolError("unsupported", `${name} is switched off at the moment`);
  if (!(await needsApproval?.(runContext, input, context.callId))) return;
  const { approve } = await context.ask({
    text: `${name} asks for approval before it runs with ${JSON.stringify(input)}`,
    fields: { approve: { type: "boolean" } },
  });
  if (!approve) throw new ToolError("declined", `the person did not approve ${name}`);
}

function fromOutput(output: unknown): unknown {
  const parts = Array.isArray(output) ? output : [output];
  const isContent = parts.every((part) => typeof part === "object" && part !== null && "type" in part);
  return isContent && parts.length > 0 ? { content: parts.map(toAdoptedPart) } : output;
}

/** A part of a result in the words of other frameworks: a text, an image as base64 or as a data URL, or anything else. */
function toAdoptedPart(part: unknown): ContentPart {
  if (typeof part === "string") return { type: "text", text: part };
  if (!isPlainObject(part)) return { type: "structured", data: part };
  const { text, type } = part;
  if (typeof text === "string" && (type === "text" || type === undefined)) return { type: "text", text };
  return imageOf(part) ?? { type: "structured", data: part };
}

function imageOf(part: Record<string, unknown>): ContentPart | undefined {
  const { data, url, image, image_url: linked } = part;
  const inside = isPlainObject(linked) ? linked.url : (linked ?? url ?? image ?? data);
  const [, fromUrl, base64] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(String(inside)) ?? [];
  if (fromUrl !== undefined) return { type: "image", data: base64!, mimeType: fromUrl };
  const plain = isPlainObject(data) ? data.data : data;
  const mimeType = [part.mediaType, part.mimeType, part.mime_type].find((each) => typeof each === "string");
  if (typeof plain !== "string" || mimeType === undefined || !mimeType.startsWith("image/")) return undefined;
  return { type: "image", data: plain, mimeType };
}
