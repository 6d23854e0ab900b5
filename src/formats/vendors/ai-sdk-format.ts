import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { CallResult } from "../../kernel/call/index.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { defined } from "../../shared/options/defined.ts";
import { asFields, asFieldsList, type Fields, withName } from "../fields.ts";
import { readArguments } from "../read-arguments.ts";
import { commonImageTypes, contentOf, hasFailed, toAiSdkContent } from "../result-content.ts";
import { toCommonSchema } from "../schemas/common-schema.ts";
import type { AdaptedTool, CallAnswer, ReadCall, RunCall, ToolFormat } from "../tool-format.ts";

/** The `tools` of `generateText` and `streamText`, as plain objects, so that `ai` need not be installed. */
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

/** A Standard Schema with a JSON Schema, the SDK's type for schemas from other libraries. */
export type AiSdkSchema = StandardSchemaV1<unknown, unknown> & StandardJSONSchemaV1<unknown, unknown>;

/** The result of a call, successful or not; the receipt stays in the log. */
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
export const aiSdkFormat: ToolFormat<AiSdkToolSet, AiSdkToolMessage> = {
  limitsNames: true,
  adaptSchema: (schema) => ({ schema: toAiSdkSchema(toCommonSchema(schema)), isStrict: false }),
  renderTools: (tools, run) => Object.fromEntries(tools.map((tool) => [tool.name, toAiSdkTool(tool, run)])),
  readCalls(message) {
    const parts = asFieldsList(asFields(message)?.content);
    return parts
      .filter(({ type, providerExecuted }) => type === "tool-call" && providerExecuted !== true)
      .map(readCall);
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
    inputSchema: inputSchema as unknown as AiSdkSchema,
    async execute(input, { toolCallId, abortSignal }) {
      const request = { name, input, id: toolCallId, ...defined({ signal: abortSignal }) };
      const { receipt: _receipt, ...result } = await run(request);
      return result;
    },
    toModelOutput: ({ output }) => toOutput({ result: output }),
  };
}

/**
 * Does not validate: the call does, so that a refusal has the same words and is recorded like any other. The symbol marks
 * a JSON Schema that the SDK uses unchanged; to a Standard Schema alone it would add `additionalProperties: false`.
 */
function toAiSdkSchema(schema: JsonSchema): AiSdkSchema & JsonSchema {
  // A copy, because the SDK modifies it.
  const show = () => structuredClone(schema) as Record<string, unknown>;
  const standard: AiSdkSchema = {
    "~standard": {
      version: 1,
      vendor: "toolwright",
      validate: (value) => ({ value }),
      jsonSchema: { input: show, output: show },
    },
  };
  const own = { [Symbol.for("vercel.ai.schema")]: true, jsonSchema: schema, validate: undefined };
  return { ...standard, ...own };
}

function readCall({ toolCallId, toolName, input }: Fields): ReadCall {
  return { ...withName(toolCallId, toolName), ...readArguments(input) };
}

function toOutput(answer: Pick<CallAnswer, "result">): AiSdkOutput {
  const { text, images } = contentOf(answer, commonImageTypes);
  if (answer.result.status === "denied") return { type: "execution-denied", reason: text };
  if (hasFailed(answer)) return { type: "error-text", value: text };
  if (images.length === 0) return { type: "text", value: text };
  return toAiSdkContent(text, images);
}
