import { expect, test } from "vitest";
import { createCallAssembler } from "../../src/capabilities/interop/index.ts";
import { openTestSession } from "../support/open-test-session.ts";
import { echo } from "../support/sample-tools.ts";

function assemble(chunks: readonly unknown[]) {
  const assembler = createCallAssembler();
  for (const chunk of chunks) assembler.add(chunk);
  return assembler.finish();
}

function chatChunk(call: object): object {
  return { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] };
}

test("Anthropic: the message keeps text, thinking and its signature, and takes an object for an input", () => {
  const block = (index: number, content_block: object, ...deltas: object[]) => [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
  const { message, calls } = assemble([
    ...block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "Hm" },
      { type: "thinking_delta", thinking: "m" },
      { type: "signature_delta", signature: "sig" },
    ),
    ...block(1, { type: "text", text: "" }, { type: "text_delta", text: "Hi" }),
    ...block(2, { type: "tool_use", id: "a", name: "x", input: {} }),
    ...block(
      3,
      { type: "tool_use", id: "b", name: "x", input: {} },
      { type: "input_json_delta", partial_json: '{"a":' },
    ),
    { type: "message_delta", delta: { stop_reason: "max_tokens" } },
  ]);
  expect(message).toEqual({
    role: "assistant",
    stop_reason: "max_tokens",
    content: [
      { type: "thinking", thinking: "Hmm", signature: "sig" },
      { type: "text", text: "Hi" },
      { type: "tool_use", id: "a", name: "x", input: {} },
      { type: "tool_use", id: "b", name: "x", input: {} },
    ],
  });
  expect(calls).toMatchObject([
    { id: "a", input: {} },
    { id: "b", inputProblem: expect.any(String) },
  ]);
  expect(calls[0]).not.toHaveProperty("inputProblem");
});

test("Anthropic: a call that got no argument before the tokens ran out is not taken for one without arguments", () => {
  const { calls } = assemble([
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "a", name: "x", input: {} },
    },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "max_tokens" } },
  ]);
  expect(calls).toMatchObject([{ inputProblem: expect.stringContaining("are cut off") }]);
});

test("OpenAI chat: the message is made whole, and the text that came with it", () => {
  const { message } = assemble([
    { choices: [{ delta: { role: "assistant", content: "Let " } }] },
    { choices: [{ delta: { content: "me" } }] },
    chatChunk({ index: 0, id: "a", function: { name: "x", arguments: "{}" } }),
    { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
  ]);
  expect(message).toEqual({
    role: "assistant",
    content: "Let me",
    tool_calls: [{ id: "a", type: "function", function: { name: "x", arguments: "{}" } }],
  });
});

test("OpenAI chat: servers that leave out the index, or give every call the same, are understood", () => {
  const whole = (extra: object, id: string) =>
    chatChunk({ ...extra, id, function: { name: "x", arguments: `{"id":"${id}"}` } });
  const expected = [
    { id: "a", input: { id: "a" } },
    { id: "b", input: { id: "b" } },
  ];
  expect(assemble([whole({}, "a"), whole({}, "b"), finish]).calls).toMatchObject(expected);
  expect(assemble([whole({ index: 0 }, "a"), whole({ index: 0 }, "b"), finish]).calls).toMatchObject(
    expected,
  );
  const repeating = [
    chatChunk({ index: 0, id: "a", function: { name: "x", arguments: '{"id"' } }),
    chatChunk({ index: 0, id: "a", function: { name: "x", arguments: ':"a"}' } }),
  ];
  expect(assemble([...repeating, finish]).calls).toEqual([{ id: "a", name: "x", input: { id: "a" } }]);
});

const finish = { choices: [{ delta: {}, finish_reason: "tool_calls" }] };

test("OpenAI chat: whole calls without ids and with the same index are told apart, and get ids to answer to", async () => {
  const whole = (text: string) =>
    chatChunk({ index: 0, id: "", function: { name: "echo", arguments: `{"text":"${text}"}` } });
  const assembled = assemble([whole("one"), whole("two"), finish]);
  expect(assembled.calls).toMatchObject([{ input: { text: "one" } }, { input: { text: "two" } }]);
  const { tool_calls: made } = assembled.message as { tool_calls: { id: string }[] };
  const { session } = await openTestSession({ tools: [echo] });
  expect(await session.handle(assembled)).toEqual([
    { role: "tool", tool_call_id: made[0]!.id, content: "one" },
    { role: "tool", tool_call_id: made[1]!.id, content: "two" },
  ]);
  expect(new Set(["", ...made.map(({ id }) => id)]).size).toBe(3);
});

test.each([
  ["no index and an empty id", {}, { id: "" }],
  ["nothing at all", { index: null }, { index: null, id: null }],
])("OpenAI chat: a piece with %s belongs to the call before it", (_what, first, next) => {
  const { calls } = assemble([
    chatChunk({ ...first, id: "a", function: { name: "x", arguments: '{"a"' } }),
    chatChunk({ ...next, function: { arguments: ":1}" } }),
    finish,
  ]);
  expect(calls).toEqual([{ id: "a", name: "x", input: { a: 1 } }]);
});

test("OpenAI chat: pieces of one call are joined also where they look like whole calls", () => {
  const pieces = ['{"text":"}', "{ braces }", '{"}'];
  const { calls } = assemble([
    ...pieces.map((piece) => chatChunk({ index: 0, function: { name: "echo", arguments: piece } })),
    finish,
  ]);
  expect(calls).toMatchObject([{ name: "echo", input: { text: "}{ braces }{" } }]);
});

test("OpenAI chat: calls come in the order of their indexes, with all that a vendor wants back", () => {
  const extra_content = { google: { thought_signature: "signed" } };
  const { message, calls } = assemble([
    { choices: [{ delta: { reasoning_content: "h" } }] },
    { choices: [{ delta: { reasoning_content: "m" } }] },
    chatChunk({ index: 1, id: "b", function: { name: "x", arguments: "{}" } }),
    chatChunk({ index: 0, id: "a", extra_content, function: { name: "x", arguments: "{}" } }),
    finish,
  ]);
  expect(calls).toMatchObject([{ id: "a" }, { id: "b" }]);
  expect(message).toEqual({
    role: "assistant",
    content: null,
    reasoning_content: "hm",
    tool_calls: [
      { id: "a", type: "function", extra_content, function: { name: "x", arguments: "{}" } },
      { id: "b", type: "function", function: { name: "x", arguments: "{}" } },
    ],
  });
});

test("OpenAI chat: a refusal stays one, and a call that a filter stopped before its arguments is not run", () => {
  const { message } = assemble([{ choices: [{ delta: { refusal: "I will not." }, finish_reason: "stop" }] }]);
  expect(message).toEqual({ role: "assistant", content: null, refusal: "I will not." });
  const { calls } = assemble([
    chatChunk({ index: 0, id: "a", function: { name: "x", arguments: "" } }),
    { choices: [{ delta: {}, finish_reason: "content_filter" }] },
  ]);
  expect(calls).toMatchObject([{ inputProblem: expect.stringContaining("are cut off") }]);
});

test("Anthropic: citations stay with their text", () => {
  const citation = { type: "web_search_result_location", url: "https://example.org", encrypted_index: "e" };
  const { message } = assemble([
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "", citations: [] } },
    { type: "content_block_delta", index: 0, delta: { type: "citations_delta", citation } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "So it is." } },
    { type: "content_block_stop", index: 0 },
  ]);
  expect(message).toMatchObject({ content: [{ type: "text", text: "So it is.", citations: [citation] }] });
});

test("OpenAI responses: a free-form call is answered in its own form, that it takes JSON", async () => {
  const item = { type: "custom_tool_call", call_id: "c", name: "echo", input: "free text" };
  const assembled = assemble([
    { type: "response.output_item.added", output_index: 0, item: { ...item, input: "" } },
    { type: "response.output_item.done", output_index: 0, item },
  ]);
  const { session } = await openTestSession({ tools: [echo] });
  expect(await session.handle(assembled)).toEqual([
    { type: "custom_tool_call_output", call_id: "c", output: expect.stringContaining("not free text") },
  ]);
});

test("Gemini: a part that is signed is joined to no other", () => {
  const chunk = (part: object) => ({ candidates: [{ content: { parts: [part] } }] });
  const { message } = assemble([
    chunk({ text: "he" }),
    chunk({ text: "llo" }),
    chunk({ text: "", thoughtSignature: "signed" }),
    chunk({ text: "again" }),
  ]);
  expect(message).toEqual({
    role: "model",
    parts: [{ text: "hello" }, { text: "", thoughtSignature: "signed" }, { text: "again" }],
  });
});

test("OpenAI responses: the last event's whole response wins, other items are kept", () => {
  const item = {
    type: "function_call",
    id: "fc",
    call_id: "a",
    name: "x",
    arguments: '{"a":1}',
    status: "completed",
  };
  const reasoning = { type: "reasoning", id: "rs", encrypted_content: "…" };
  const { message, calls } = assemble([
    { type: "response.output_item.added", output_index: 1, item: { ...item, arguments: "" } },
    { type: "response.function_call_arguments.delta", output_index: 1, delta: '{"a"' },
    { type: "response.completed", response: { output: [reasoning, item] } },
  ]);
  expect(message).toEqual({ output: [reasoning, item] });
  expect(calls).toEqual([{ id: "a", name: "x", input: { a: 1 } }]);
});

test("Gemini: calls come whole in any chunk, and text is joined", () => {
  const chunk = (...parts: object[]) => ({ candidates: [{ content: { role: "model", parts } }] });
  const call = { functionCall: { name: "x", args: { a: 1 } }, thoughtSignature: "sig" };
  const { format, message, calls } = assemble([
    chunk({ text: "Let " }),
    chunk({ text: "me" }, call),
    chunk({ functionCall: { id: "b", name: "y" } }),
  ]);
  expect(format).toBe("gemini");
  expect(message).toEqual({
    role: "model",
    parts: [{ text: "Let me" }, call, { functionCall: { id: "b", name: "y" } }],
  });
  expect(calls).toEqual([
    { name: "x", input: { a: 1 } },
    { id: "b", name: "y", input: {} },
  ]);
});

test("chunks without a known form, broken ones and ones for calls that never began change nothing", async () => {
  const odd = [
    null,
    "data: [DONE]",
    5,
    [],
    {},
    { type: 7 },
    { choices: "none" },
    { choices: [null, { delta: { tool_calls: [null, 5] } }] },
    { type: "content_block_delta", index: 9, delta: { type: "input_json_delta", partial_json: "{" } },
    { type: "content_block_delta", index: 9 },
    { type: "response.function_call_arguments.delta", output_index: 9, delta: "{" },
    { type: "response.output_item.added", output_index: 0 },
    { candidates: [{ content: { parts: "none" } }] },
  ];
  for (const chunk of odd) expect(assemble([chunk, ...odd]).calls).toEqual([]);
  const { session } = await openTestSession();
  expect(await session.handle(assemble([]))).toEqual([]);
});

test("arguments without end stop being kept, and are refused", () => {
  const assembler = createCallAssembler();
  const piece = "x".repeat(1_000_000);
  assembler.add(chatChunk({ index: 0, id: "a", function: { name: "x", arguments: '"' } }));
  for (let count = 0; count < 40; count++) {
    assembler.add(chatChunk({ index: 0, function: { arguments: piece } }));
  }
  const { message, calls } = assembler.finish();
  const [call] = calls;
  expect(call?.inputProblem).toContain("longer than");
  expect(JSON.stringify(message).length).toBeLessThan(12_000_000);
});
