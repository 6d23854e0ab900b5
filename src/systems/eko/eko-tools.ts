import { imageFormatOf, mimeTypeOf } from "../../shared/content/image-format.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { type AnyTool, defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { ContentPart } from "../../tool/tool-result.ts";
import type { EkoAgentContext, EkoCallback, EkoCallbackMessage, EkoHuman, EkoTool } from "./eko-types.ts";

export interface EkoToolOptions {
  /** Gets the messages that the tools send while they run. */
  readonly callback?: EkoCallback;
  /** The agent that the tools are told as their caller. Default: the caller itself. */
  readonly agent?: EkoAgentIdentity;
}

/** Tools written for Eko, as tools of this runtime. */
export function ekoTools(tools: readonly EkoTool[], options: EkoToolOptions = {}): AnyTool[] {
  return tools.map((tool) => ekoTool(tool, options));
}

function ekoTool(tool: EkoTool, options: EkoToolOptions): AnyTool {
  const { name, description, parameters } = readDeclaration(tool);
  if (typeof tool.execute !== "function") throw new TypeError(`${name}: execute must be a function`);
  return defineTool({
    name,
    description: description || name,
    input: parameters,
    traits: { concurrencySafe: tool.supportParallelCalls === true },
    run: async (input, context: ToolContext) => {
      const args = input as Record<string, unknown>;
      const { callId: toolCallId } = context;
      const toolCall = { type: "tool-call", toolCallId, toolName: name, args, input: args } as const;
      return fromResult(await tool.execute(args, createAgentContext(context, options), toolCall));
    },
  });
}

/** Eko takes a schema under several names, and a tool as OpenAI's API describes it. */
function readDeclaration(tool: EkoTool) {
  const { function: described = tool } = tool as { readonly function?: EkoTool };
  const { name, description, parameters, input_schema, inputSchema } = described as EkoTool & {
    readonly input_schema?: unknown;
    readonly inputSchema?: unknown;
  };
  const schema = parameters ?? input_schema ?? inputSchema;
  if (!isPlainObject(schema)) {
    throw new TypeError(`${name}: parameters must be a JSON Schema with type "object"`);
  }
  return { name, description, parameters: schema as JsonSchema };
}

/** Eko's own words for a result without any text are "Successful". */
function fromResult(result: unknown): unknown {
  if (!isPlainObject(result) || !Array.isArray(result.content)) {
    throw new ToolError("invalid-output", "the tool did not return a result with content", {
      hint: 'Return { content: [{ type: "text", text: … }] }.',
    });
  }
  const content = result.content.map(toPart);
  if (result.isError === true) {
    const texts = content.flatMap((part) => (part.type === "text" ? part.text : []));
    const message = texts.join("\n").replace(/^Error: ?/, "");
    throw new ToolError("tool-failed", message || "the tool reported an error without a message");
  }
  const shown: ContentPart[] = content.length === 0 ? [{ type: "text", text: "Successful" }] : content;
  return { content: shown, data: result.extInfo };
}

function toPart(part: unknown): ContentPart {
  if (isPlainObject(part) && part.type === "text") return { type: "text", text: String(part.text ?? "") };
  if (isPlainObject(part) && part.type === "image" && typeof part.data === "string") {
    const { data, mimeType } = part;
    return { type: "image", data, mimeType: typeof mimeType === "string" ? mimeType : typeOfImage(data) };
  }
  throw new ToolError("invalid-output", "the content has a part that is neither a text nor an image");
}

/** Finds an image's type by its first bytes, because Eko's results need not name it. */
function typeOfImage(data: string): string {
  return mimeTypeOf(imageFormatOf(Buffer.from(data.slice(0, 700), "base64")) ?? "png");
}

/** The agent that works, in the messages of a callback. */
export interface EkoAgentIdentity {
  readonly taskId: string;
  readonly agentName: string;
  readonly nodeId: string;
}

/** The context that Eko's tools expect, made of ours. Most tools use little of it, so each part is made when it is used. */
function createAgentContext(context: ToolContext, { agent, callback }: EkoToolOptions): EkoAgentContext {
  const { taskId, agentName, nodeId } = identityOf(context, agent);
  return {
    agent: { Name: agentName },
    agentChain: { agent: { id: nodeId, name: agentName } },
    get variables() {
      return context.variables;
    },
    get context() {
      return createTaskContext(context, taskId, callback);
    },
  };
}

function createTaskContext(
  context: ToolContext,
  taskId: string,
  callback: EkoCallback | undefined,
): EkoAgentContext["context"] {
  return {
    taskId,
    get variables() {
      return context.taskVariables;
    },
    get config() {
      const onMessage: EkoCallback["onMessage"] = (message) => tell(message, context, callback);
      return { callback: { ...askPerson(context), ...callback, onMessage } };
    },
    get controller() {
      return { signal: context.signal };
    },
    checkAborted() {
      if (!context.signal.aborted) return;
      throw Object.assign(new Error("Operation was interrupted"), { name: "AbortError" });
    },
  };
}

/** Asks as any tool of this runtime does, unless the callback answers itself. */
function askPerson(context: ToolContext): EkoHuman {
  const confirm = async (prompt: string) => {
    const { yes } = await context.ask({ text: prompt, fields: { yes: { type: "boolean" } } });
    return yes;
  };
  return {
    onHumanConfirm: (_, prompt) => confirm(prompt),
    onHumanInput: (_, prompt) => context.ask(prompt),
    async onHumanSelect(_, prompt, options, multiple = false) {
      if (!multiple) return [await context.ask({ text: prompt, choices: options })];
      const items = { type: "string", enum: options } as const;
      return (await context.ask({ text: prompt, fields: { chosen: { type: "array", items } } })).chosen;
    },
    onHumanHelp: (_, _helpType, prompt) => confirm(prompt),
  };
}

/** A sub-agent has a name and its own session. */
function identityOf({ caller, sessionId }: ToolContext, agent?: EkoAgentIdentity): EkoAgentIdentity {
  if (agent !== undefined && caller.name === agent.agentName) return agent;
  return { taskId: agent?.taskId ?? sessionId, agentName: caller.name, nodeId: sessionId };
}

/**
 * Reports a running tool's message as progress of its call, so that all readers of the session's events see it. The last
 * message repeats all of them, and goes to the callback alone.
 */
async function tell(
  message: EkoCallbackMessage,
  context: ToolContext,
  callback: EkoCallback | undefined,
): Promise<void> {
  if (isPlainObject(message) && message.type === "tool_running" && message.streamDone !== true)
    context.progress({ text: String(message.text ?? "") });
  await callback?.onMessage(message);
}
