import {
  inputText,
  isToolName,
  piecesOf,
  type RequestBody,
  repeated,
  type WireEvent,
  type WireFormat,
} from "./wire-format.ts";

/** Anthropic's messages. */
export const anthropicWire: WireFormat = {
  path: "/messages",
  stream: streamMessage,
  findProblems,
  streamError: (message) => ({ name: "error", data: JSON.stringify(anthropicWire.error(503, message)) }),
  error: (status, message) => ({
    type: "error",
    error: {
      type:
        status === 429 ? "rate_limit_error" : status >= 500 ? "overloaded_error" : "invalid_request_error",
      message,
    },
  }),
};

function* streamMessage(
  { reasoning, text, calls = [], usage, finishReason }: Parameters<WireFormat["stream"]>[0],
  count: number,
): Generator<WireEvent> {
  const event = (name: string, fields: object, phase?: WireEvent["phase"]): WireEvent => ({
    name,
    data: JSON.stringify({ type: name, ...fields }),
    ...(phase && { phase }),
  });
  yield event("message_start", {
    message: {
      id: `msg_${count}`,
      type: "message",
      role: "assistant",
      model: "loopback",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: usage?.inputTokens ?? 10, output_tokens: 1 },
    },
  });
  yield { name: "ping", data: JSON.stringify({ type: "ping" }) };
  let index = 0;
  const block = function* (content_block: object, deltas: Iterable<object>, phase: WireEvent["phase"]) {
    yield event("content_block_start", { index, content_block });
    for (const delta of deltas) yield event("content_block_delta", { index, delta }, phase);
    yield event("content_block_stop", { index });
    index += 1;
  };
  if (reasoning !== undefined) {
    const thoughts = [...piecesOf(reasoning)].map((thinking) => ({ type: "thinking_delta", thinking }));
    const signed = { type: "signature_delta", signature: `signed-${reasoning.length}` };
    yield* block({ type: "thinking", thinking: "", signature: "" }, [...thoughts, signed], undefined);
  }
  if (text !== undefined) {
    const pieces = [...piecesOf(text)].map((piece) => ({ type: "text_delta", text: piece }));
    yield* block({ type: "text", text: "" }, pieces, "text");
  }
  for (const [place, call] of calls.entries()) {
    const id = call.id ?? `toolu_${count}_${place}`;
    const pieces = [...piecesOf(inputText(call.input))].map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
    yield* block({ type: "tool_use", id, name: call.name, input: {} }, pieces, "input");
  }
  const stopReasons: Record<string, string> = { length: "max_tokens", "content-filter": "refusal" };
  const stop_reason = stopReasons[finishReason ?? ""] ?? (calls.length > 0 ? "tool_use" : "end_turn");
  const delta = { stop_reason, stop_sequence: null };
  yield event("message_delta", { delta, usage: { output_tokens: usage?.outputTokens ?? 5 } }, "finish");
  yield event("message_stop", {});
}

function findProblems({ messages = [], tools = [], max_tokens }: RequestBody): string[] {
  const problems: string[] = [];
  if (typeof max_tokens !== "number") problems.push("max_tokens is missing");
  if (messages[0]?.role !== "user") problems.push("the first message is not the user's");
  for (const { name, input_schema } of tools) {
    if (!isToolName(name)) problems.push(`tools: ${name} is no name`);
    for (const property of Object.keys(input_schema.properties ?? {}))
      if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(property)) problems.push(`${name}: ${property} is no property key`);
    for (const keyword of ["oneOf", "anyOf", "allOf"])
      if (keyword in input_schema) problems.push(`${name}: ${keyword} at the top level`);
  }
  const ids: string[] = [];
  let open: string[] = [];
  for (const [place, { role, content }] of messages.entries()) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (blocks.length === 0) problems.push(`message ${place} is empty`);
    for (const block of blocks) {
      if (block.type === "text" && block.text.trim() === "")
        problems.push(`message ${place} has an empty text`);
      for (const inner of Array.isArray(block.content) ? block.content : []) {
        if (inner.type === "text" && inner.text === "") problems.push(`message ${place} has an empty text`);
        if (inner.type === "image" && !imageTypes.test(inner.source.media_type))
          problems.push(`message ${place} has an image of type ${inner.source.media_type}`);
      }
      if (block.type === "thinking" && !block.signature)
        problems.push(`message ${place} has an unsigned thought`);
    }
    if (role === "assistant" && blocks.at(-1)?.type === "thinking")
      problems.push(`message ${place} ends with a thought`);
    const answered: string[] = blocks.filter(isResult).map((block: RequestBody) => block.tool_use_id);
    if (open.length > 0 || answered.length > 0) {
      if (role !== "user" || [...open].sort().join() !== [...answered].sort().join())
        problems.push(`message ${place} does not answer exactly the calls before it`);
      if (blocks.slice(0, answered.length).some((block: RequestBody) => !isResult(block)))
        problems.push(`message ${place} has something before its results`);
    }
    open = blocks.filter(({ type }: RequestBody) => type === "tool_use").map(({ id }: RequestBody) => id);
    if (open.length > 0 && role !== "assistant")
      problems.push(`message ${place} calls, and is not the model's`);
    ids.push(...open);
    if (messages[place - 1]?.role === role)
      problems.push(`message ${place} is of the same role as the one before`);
  }
  if (open.length > 0) problems.push("the last calls are not answered");
  return [...problems, ...repeated(ids)];
}

const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/;

function isResult({ type }: RequestBody): boolean {
  return type === "tool_result";
}
