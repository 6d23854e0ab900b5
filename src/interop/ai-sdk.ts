import type { CallResult } from "../runtime/pipeline/call.ts";
import type { JsonSchema } from "../shared/json-schema/json-schema.ts";
import { asFields, asFieldsList, type Fields, withId } from "./fields.ts";
import { toObjectRoot } from "./object-root.ts";
import { readArguments } from "./read-arguments.ts";
import { contentOf, hasFailed } from "./result-content.ts";
import type { AdaptedTool, AnsweredCall, ReadCall, RunCall, ToolFormat } from "./tool-format.ts";

/** What `generateText` and `streamText` take as `tools`. Made of plain objects, so that `ai` need not be there. */
export type AiSdkToolSet = Record<string, AiSdkTool>;

export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  execute(
    input: unknown,
    options: { toolCallId: string; abortSignal?: AbortSignal },
  ): Promise<AiSdkToolOutput>;
  toModelOutput(options: { toolCallId: string; output: AiSdkToolOutput }): AiSdkOutput;
}

/** What `jsonSchema()` of `ai` makes; it knows its own by this symbol. */
export interface AiSdkSchema {
  readonly [aiSdkSchema]: true;
  readonly _type: unknown;
  readonly jsonSchema: JsonSchema;
  /** Left to the call itself, so that a refusal is told in the same words and on record like any other. */
  readonly validate: undefined;
}

declare const aiSdkSchema: unique symbol;

/** The result of a call, whether it went well or not; the receipt stays in the log. */
export type AiSdkToolOutput = Omit<CallResult, "receipt">;

export type AiSdkOutput =
  | { type: "text"; value: string }
  | { type: "error-text"; value: string }
  | { type: "execution-denied"; reason: string }
  | {
      type: "content";
      value: (
        | { type: "text"; text: string }
        | { type: "file"; mediaType: string; data: { type: "data"; data: string } }
      )[];
    };

export interface AiSdkToolMessage {
  role: "tool";
  content: { type: "tool-result"; toolCallId: string; toolName: string; output: AiSdkOutput }[];
}

/** The AI SDK (`ai` 7): an object of tools that run themselves, and its model messages. */
export const aiSdk: ToolFormat<AiSdkToolSet, AiSdkToolMessage> = {
  limitsNames: true,
  adaptSchema: (schema) => ({ schema: toObjectRoot(schema), isStrict: false }),
  renderTools: (tools, run) => Object.fromEntries(tools.map((tool) => [tool.name, toAiSdkTool(tool, run)])),
  readCalls(message) {
    const parts = asFieldsList(asFields(message)?.content);
    const calls = parts.filter(
      ({ type, providerExecuted }) => type === "tool-call" && providerExecuted !== true,
    );
    return calls.length === 0 ? undefined : calls.map(readCall);
  },
  renderAnswers: (answers) => [
    {
      role: "tool",
      content: answers.map((answer) => ({
        type: "tool-result",
        toolCallId: answer.call.id ?? "",
        toolName: answer.call.name,
        output: toOutput(answer),
      })),
    },
  ],
};

function toAiSdkTool({ name, description, inputSchema }: AdaptedTool, run: RunCall): AiSdkTool {
  return {
    description,
    inputSchema: toAiSdkSchema(inputSchema),
    async execute(input, { toolCallId, abortSignal }) {
      const { receipt: _receipt, ...result } = await run({
        name,
        input,
        id: toolCallId,
        ...(abortSignal && { signal: abortSignal }),
      });
      return result;
    },
    toModelOutput: ({ output }) => toOutput({ result: output }),
  };
}

function toAiSdkSchema(schema: JsonSchema): AiSdkSchema {
  const marked = { _type: undefined, jsonSchema: schema, validate: undefined };
  return { ...marked, [Symbol.for("vercel.ai.schema")]: true } as unknown as AiSdkSchema;
}

function readCall({ toolCallId, toolName, input }: Fields): ReadCall {
  return {
    ...withId(toolCallId),
    name: typeof toolName === "string" ? toolName : "",
    ...readArguments(input),
  };
}

function toOutput(answer: Pick<AnsweredCall, "result">): AiSdkOutput {
  const { text, images } = contentOf(answer, everyType);
  if (answer.result.status === "denied") return { type: "execution-denied", reason: text };
  if (hasFailed(answer)) return { type: "error-text", value: text };
  if (images.length === 0) return { type: "text", value: text };
  return {
    type: "content",
    value: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...images.map(({ mimeType, data }) => ({
        type: "file" as const,
        mediaType: mimeType,
        data: { type: "data" as const, data },
      })),
    ],
  };
}

/** Each provider of the SDK deals with what its model cannot see. */
const everyType = { has: () => true };
