import { asFields, asFieldsList, type Fields, withId } from "../fields.ts";
import { cutOffProblem, readArguments } from "../read-arguments.ts";
import { type CommonImageType, commonImageTypes, contentOf, hasFailed } from "../result-content.ts";
import { toCommonSchema } from "../schemas/common-schema.ts";
import type { CallAnswer, ReadCall, ToolFormat } from "../tool-format.ts";

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: "object"; readonly [keyword: string]: unknown };
}

export interface AnthropicAnswer {
  readonly role: "user";
  readonly content: AnthropicToolResult[];
}

export interface AnthropicToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | AnthropicBlock[];
  readonly is_error?: true;
}

export type AnthropicBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: {
        readonly type: "base64";
        readonly media_type: CommonImageType;
        readonly data: string;
      };
    };

/** Anthropic's Messages API. */
export const anthropicFormat: ToolFormat<AnthropicTool[], AnthropicAnswer> = {
  limitsNames: true,
  adaptSchema: (schema) => ({ schema: toCommonSchema(schema), isStrict: false }),
  renderTools: (tools) =>
    tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema as AnthropicTool["input_schema"],
    })),
  readCalls(message) {
    const { content, stop_reason } = asFields(message) ?? {};
    const blocks = asFieldsList(content);
    const calls = blocks.filter(({ type }) => type === "tool_use");
    if (calls.length === 0) return undefined;
    const cutOff = anthropicCuttingReasons.has(stop_reason) ? blocks.at(-1) : undefined;
    return calls.map((block) => readCall(block, block === cutOff));
  },
  /** All results in one message, before anything else, as the API requires. */
  renderAnswers: (answers) => [{ role: "user", content: answers.map(toToolResult) }],
};

/** Stop reasons of a message that is incomplete. */
export const anthropicCuttingReasons: ReadonlySet<unknown> = new Set([
  "max_tokens",
  "model_context_window_exceeded",
  "refusal",
]);

function readCall({ id, name, input }: Fields, isCutOff: boolean): ReadCall {
  const made = { ...withId(id), name: typeof name === "string" ? name : "" };
  // The input looks complete but is not.
  if (isCutOff) return { ...made, input, inputProblem: cutOffProblem };
  return { ...made, ...readArguments(input) };
}

function toToolResult(answer: CallAnswer): AnthropicToolResult {
  return {
    type: "tool_result",
    tool_use_id: answer.call.id ?? "",
    ...toContent(answer),
    ...(hasFailed(answer) && { is_error: true }),
  };
}

/** The API refuses empty texts, so an empty result has no content. */
function toContent(answer: CallAnswer): Pick<AnthropicToolResult, "content"> {
  const { text, images } = contentOf(answer, commonImageTypes);
  if (images.length === 0) return text === "" ? {} : { content: text };
  return {
    content: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...images.map(({ mimeType, data }) => ({
        type: "image" as const,
        source: { type: "base64" as const, media_type: mimeType as CommonImageType, data },
      })),
    ],
  };
}
