import { defined } from "../../shared/options/defined.ts";
import { asFields, asFieldsList, type Fields, inOrder, withName } from "../fields.ts";
import { appendText, cutOffProblem, readArguments } from "../read-arguments.ts";
import { type CommonImageType, commonImageTypes, contentOf, hasFailed } from "../result-content.ts";
import { toCommonSchema } from "../schemas/common-schema.ts";
import type { CallAnswer, MessageStream, ReadCall, StreamFormat, ToolFormat } from "../tool-format.ts";

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
    const cutOff = anthropicCuttingReasons.has(stop_reason) ? blocks.at(-1) : undefined;
    const calls = blocks.filter(({ type }) => type === "tool_use");
    return calls.map((block) => readCall(block, block === cutOff));
  },
  /** All results in one message, before anything else, as the API requires. */
  renderAnswers: (answers) => [{ role: "user", content: answers.map(toToolResult) }],
};

/** Stop reasons of a message that is incomplete. */
const anthropicCuttingReasons: ReadonlySet<unknown> = new Set([
  "max_tokens",
  "model_context_window_exceeded",
  "refusal",
]);

function readCall({ id, name, input }: Fields, isCutOff: boolean): ReadCall {
  const made = withName(id, name);
  // The input looks complete but is not.
  if (isCutOff) return { ...made, input, inputProblem: cutOffProblem };
  return { ...made, ...readArguments(input) };
}

function toToolResult(answer: CallAnswer): AnthropicToolResult {
  return {
    type: "tool_result",
    tool_use_id: answer.call.id ?? "",
    ...defined({ content: toContent(answer) }),
    ...(hasFailed(answer) && { is_error: true }),
  };
}

/** The API refuses empty texts, so an empty result has no content. */
function toContent(answer: CallAnswer): AnthropicToolResult["content"] {
  const { text, images } = contentOf(answer, commonImageTypes);
  if (images.length === 0) return text || undefined;
  const shown = images.map(({ mimeType, data }): AnthropicBlock => {
    const source = { type: "base64", media_type: mimeType as CommonImageType, data } as const;
    return { type: "image", source };
  });
  return text === "" ? shown : [{ type: "text", text }, ...shown];
}

/** Stream events of Anthropic's Messages API. */
export const anthropicStream: StreamFormat = {
  recognises: ({ type }) => typeof type === "string" && /^(?:message|content_block)_[a-z]+$/.test(type),
  open: openStream,
};

interface GrowingBlock {
  /** The block so far, without its input. */
  fields: Record<string, unknown>;
  inputText: string;
  hasEnded: boolean;
}

function openStream(): MessageStream {
  const blocks = new Map<unknown, GrowingBlock>();
  let stopReason: unknown;
  const isCut = (block: GrowingBlock) =>
    anthropicCuttingReasons.has(stopReason) && block === inOrder(blocks).at(-1);
  return {
    add({ type, index, content_block, delta }) {
      const block = blocks.get(index);
      const change = asFields(delta);
      if (type === "content_block_start")
        blocks.set(index, { fields: { ...asFields(content_block) }, inputText: "", hasEnded: false });
      if (type === "content_block_delta" && block && change) addDelta(block, change);
      if (type === "content_block_stop" && block) block.hasEnded = true;
      if (type === "message_delta") stopReason = change?.stop_reason ?? stopReason;
    },
    calls: () =>
      inOrder(blocks)
        .filter(({ fields }) => fields.type === "tool_use")
        .map((block) => ({
          ...withName(block.fields.id, block.fields.name),
          arguments: argumentsOf(block),
          hasEnded: block.hasEnded && !isCut(block),
        })),
    message: () => ({
      role: "assistant",
      content: inOrder(blocks).map(toBlock),
      ...defined({ stop_reason: stopReason }),
    }),
  };
}

/** The field that each kind of delta extends. */
const grownFields = new Map<unknown, string>([
  ["text_delta", "text"],
  ["thinking_delta", "thinking"],
  ["signature_delta", "signature"],
]);

function addDelta(block: GrowingBlock, delta: Fields): void {
  if (delta.type === "input_json_delta") block.inputText = appendText(block.inputText, delta.partial_json);
  if (delta.type === "citations_delta")
    block.fields.citations = [...asFieldsList(block.fields.citations), delta.citation];
  const field = grownFields.get(delta.type);
  if (field === undefined) return;
  const before = block.fields[field];
  block.fields[field] = appendText(typeof before === "string" ? before : "", delta[field]);
}

/** A block may also start with its whole input. */
function argumentsOf({ fields, inputText }: GrowingBlock): unknown {
  const begun = asFields(fields.input);
  return inputText === "" && begun !== undefined && Object.keys(begun).length > 0 ? begun : inputText;
}

/** The API accepts only an object back, also where the model wrote something else. */
function toBlock(block: GrowingBlock): object {
  if (block.inputText === "") return block.fields;
  const { input, inputProblem } = readArguments(block.inputText);
  return { ...block.fields, input: inputProblem === undefined ? (asFields(input) ?? {}) : {} };
}
