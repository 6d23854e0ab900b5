import { findFormatProblems, findShapeProblems, isObjectText, openaiChatWire } from "./openai-chat-wire.ts";
import {
  inputText,
  isToolName,
  piecesOf,
  type RequestBody,
  repeated,
  type WireEvent,
  type WireFormat,
} from "./wire-format.ts";

/** OpenAI's responses. */
export const openaiResponsesWire: WireFormat = {
  path: "/responses",
  stream: streamEvents,
  findProblems,
  error: openaiChatWire.error,
  streamError: (message) => ({
    name: "error",
    data: JSON.stringify({ type: "error", sequence_number: 9, code: "server_error", message, param: null }),
  }),
};

function* streamEvents(
  { reasoning, text, calls = [], usage, finishReason }: Parameters<WireFormat["stream"]>[0],
  count: number,
): Generator<WireEvent> {
  let sequence_number = 0;
  const event = (type: string, fields: object, phase?: WireEvent["phase"]): WireEvent => {
    sequence_number += 1;
    return {
      name: type,
      data: JSON.stringify({ type, sequence_number, ...fields }),
      ...(phase && { phase }),
    };
  };
  const response = { id: `resp_${count}`, object: "response", created_at: 1, model: "loopback", output: [] };
  yield event("response.created", { response: { ...response, status: "in_progress" } });
  let output_index = 0;
  if (reasoning !== undefined) {
    const id = `rs_${count}`;
    const item = { type: "reasoning", id, encrypted_content: null, summary: [] };
    yield event("response.output_item.added", { output_index, item });
    // Each paragraph is a part of its own.
    for (const [summary_index, paragraph] of reasoning.split("\n\n").entries()) {
      const place = { item_id: id, output_index, summary_index };
      yield event("response.reasoning_summary_part.added", place);
      for (const delta of piecesOf(paragraph))
        yield event("response.reasoning_summary_text.delta", { ...place, delta });
      yield event("response.reasoning_summary_part.done", place);
    }
    const encrypted_content = `encrypted-${count}`;
    yield event("response.output_item.done", { output_index, item: { ...item, encrypted_content } });
    output_index += 1;
  }
  if (text !== undefined) {
    const id = `msg_${count}`;
    const item = { type: "message", id, role: "assistant", status: "in_progress", content: [] };
    yield event("response.output_item.added", { output_index, item });
    for (const delta of piecesOf(text))
      yield event(
        "response.output_text.delta",
        { item_id: id, output_index, content_index: 0, delta },
        "text",
      );
    const content = [{ type: "output_text", text, annotations: [] }];
    yield event("response.output_item.done", {
      output_index,
      item: { ...item, status: "completed", content },
    });
    output_index += 1;
  }
  for (const [place, call] of calls.entries()) {
    const id = `fc_${count}_${place}`;
    const written = inputText(call.input);
    const item = { type: "function_call", id, call_id: call.id ?? `call_${count}_${place}`, name: call.name };
    yield event("response.output_item.added", {
      output_index,
      item: { ...item, arguments: "", status: "in_progress" },
    });
    for (const delta of piecesOf(written))
      yield event("response.function_call_arguments.delta", { item_id: id, output_index, delta }, "input");
    yield event("response.function_call_arguments.done", { item_id: id, output_index, arguments: written });
    yield event("response.output_item.done", {
      output_index,
      item: { ...item, arguments: written, status: "completed" },
    });
    output_index += 1;
  }
  const isCut = finishReason === "length";
  const [input_tokens, output_tokens] = [usage?.inputTokens ?? 10, usage?.outputTokens ?? 5];
  const ended = {
    ...response,
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    usage: {
      input_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + output_tokens,
    },
  };
  yield event(isCut ? "response.incomplete" : "response.completed", { response: ended }, "finish");
}

function findProblems({ input = [], tools = [], prompt_cache_key = "", text }: RequestBody): string[] {
  const problems = findFormatProblems(text?.format);
  if (prompt_cache_key.length > 64) problems.push("prompt_cache_key: string too long");
  for (const { name, parameters } of tools) {
    if (!isToolName(name)) problems.push(`tools: ${name} is no name`);
    problems.push(...findShapeProblems(parameters).map((problem) => `${name}: ${problem}`));
  }
  const calls: string[] = [];
  const answered = new Set<string>();
  for (const item of input) {
    if (item.type === "item_reference") problems.push(`${item.id} is not in the request itself`);
    if (item.type === "reasoning" && !item.encrypted_content)
      problems.push(`${item.id} was not found: items are not persisted when store is false`);
    if (item.type === "function_call") {
      calls.push(item.call_id);
      if (!isObjectText(item.arguments)) problems.push(`the arguments of ${item.call_id} are no JSON object`);
    }
    if (item.type === "function_call_output") {
      if (!calls.includes(item.call_id)) problems.push(`${item.call_id} answers no call before it`);
      if (answered.has(item.call_id)) problems.push(`${item.call_id} is answered twice`);
      for (const { image_url = "data:image/png" } of Array.isArray(item.output) ? item.output : [])
        if (!/^data:image\/(?:png|jpeg|gif|webp)\b/.test(image_url))
          problems.push(`${item.call_id} is answered with an unsupported image`);
      answered.add(item.call_id);
    }
  }
  for (const id of calls) if (!answered.has(id)) problems.push(`${id} is not answered`);
  return [...problems, ...repeated(calls)];
}
