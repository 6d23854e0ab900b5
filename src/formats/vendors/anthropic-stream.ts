import { defined } from "../../shared/options/defined.ts";
import { asFields, asFieldsList, type Fields, withId } from "../fields.ts";
import { readArguments } from "../read-arguments.ts";
import { appendText, type MessageStream, type StreamFormat } from "../streams/message-stream.ts";
import { anthropicCuttingReasons } from "./anthropic-format.ts";

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
  const inOrder = () =>
    [...blocks].toSorted(([left], [right]) => Number(left) - Number(right)).map(([, block]) => block);
  const isCut = (block: GrowingBlock) =>
    anthropicCuttingReasons.has(stopReason) && block === inOrder().at(-1);

  const handlers = new Map<unknown, (event: Fields) => void>([
    [
      "content_block_start",
      ({ index, content_block }) =>
        blocks.set(index, { fields: { ...asFields(content_block) }, inputText: "", hasEnded: false }),
    ],
    [
      "content_block_delta",
      ({ index, delta }) => {
        const block = blocks.get(index);
        const change = asFields(delta);
        if (block !== undefined && change !== undefined) addDelta(block, change);
      },
    ],
    [
      "content_block_stop",
      ({ index }) => {
        const block = blocks.get(index);
        if (block !== undefined) block.hasEnded = true;
      },
    ],
    [
      "message_delta",
      ({ delta }) => {
        stopReason = asFields(delta)?.stop_reason ?? stopReason;
      },
    ],
  ]);

  return {
    add: (event) => handlers.get(event.type)?.(event),
    calls: () =>
      inOrder()
        .filter(({ fields }) => fields.type === "tool_use")
        .map((block) => ({
          ...withId(block.fields.id),
          name: typeof block.fields.name === "string" ? block.fields.name : "",
          arguments: argumentsOf(block),
          hasEnded: block.hasEnded && !isCut(block),
        })),
    message: () => ({
      role: "assistant",
      content: inOrder().map(toBlock),
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

/** The API accepts only an object back, whatever the model wrote. */
function toBlock(block: GrowingBlock): object {
  if (block.inputText === "") return block.fields;
  const { input, inputProblem } = readArguments(block.inputText);
  return { ...block.fields, input: inputProblem === undefined ? (asFields(input) ?? {}) : {} };
}
