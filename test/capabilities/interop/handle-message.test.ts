import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const draw = defineTool({
  name: "draw",
  description: "Draws.",
  params: { kind: { type: "string", default: "image/png" } },
  traits: { readOnly: true, concurrencySafe: true },
  run: ({ kind }) => ({
    content: [
      { type: "text", text: "A dot:" },
      { type: "image", data: pixel, mimeType: kind },
    ],
  }),
});

const nothing = defineTool({
  name: "nothing",
  description: "Says nothing.",
  params: {},
  traits: { readOnly: true },
  run: () => undefined,
});

const tools = [echo, draw, nothing];

/** The same four calls, as each vendor's model makes them: one that works and three that cannot. */
const calls = [
  { id: "call_1", name: "echo", input: { text: "hi", times: 2 } },
  { id: "call_2", name: "ecko", input: {} },
  { id: "call_3", name: "echo", input: { text: 5 } },
  { id: "call_4", name: "act", input: {} },
];
const act = defineTool({ name: "act", description: "Acts.", params: {}, run: () => "acted" });

test("OpenAI chat: every call of the message is answered in order, by its id", async () => {
  const { session } = await openTestSession({ tools: [...tools, act] });
  const answers = await session.handle({
    role: "assistant",
    content: null,
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  });
  expect(answers).toEqual([
    { role: "tool", tool_call_id: "call_1", content: "hihi" },
    { role: "tool", tool_call_id: "call_2", content: expect.stringContaining("Did you mean echo?") },
    { role: "tool", tool_call_id: "call_3", content: expect.stringContaining("$.text must be a string") },
    { role: "tool", tool_call_id: "call_4", content: expect.stringContaining("approval") },
  ]);
});

test("OpenAI responses: the items of a response are answered with outputs", async () => {
  const { session } = await openTestSession({ tools: [...tools, act] });
  const output = [
    { type: "reasoning", id: "rs_1", summary: [] },
    ...calls.map(({ id, name, input }) => ({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: "completed",
    })),
    { type: "custom_tool_call", call_id: "call_5", name: "echo", input: "hi" },
    { type: "function_call", call_id: "call_6", name: "nothing", arguments: "", status: "incomplete" },
  ];
  const answers = await session.handle({ id: "resp_1", output });
  expect(await session.handle(output)).toEqual(answers);
  expect(answers.map(({ type, call_id }) => [type, call_id])).toEqual([
    ["function_call_output", "call_1"],
    ["function_call_output", "call_2"],
    ["function_call_output", "call_3"],
    ["function_call_output", "call_4"],
    ["custom_tool_call_output", "call_5"],
    ["function_call_output", "call_6"],
  ]);
  expect(answers[0]).toMatchObject({ output: "hihi" });
  expect(answers[5]).toMatchObject({ output: expect.stringContaining("are cut off") });
});

test("Anthropic: all results are in one user message, and those that failed are marked", async () => {
  const { session } = await openTestSession({ tools: [...tools, act] });
  const answers = await session.handle({
    role: "assistant",
    stop_reason: "tool_use",
    content: [
      { type: "text", text: "Let me see." },
      ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
      { type: "tool_use", id: "call_5", name: "nothing", input: {} },
      { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
    ],
  });
  expect(answers).toEqual([
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_1", content: "hihi" },
        {
          type: "tool_result",
          tool_use_id: "call_2",
          content: expect.stringContaining("ecko"),
          is_error: true,
        },
        {
          type: "tool_result",
          tool_use_id: "call_3",
          content: expect.stringContaining("$.text"),
          is_error: true,
        },
        { type: "tool_result", tool_use_id: "call_4", content: expect.any(String), is_error: true },
        { type: "tool_result", tool_use_id: "call_5" },
      ],
    },
  ]);
});

test("Anthropic: a call at the end of a message that ran out of tokens is not run", async () => {
  const { session, workspace } = await openFileSession();
  const write = (id: string) => ({
    type: "tool_use",
    id,
    name: "Write",
    input: { file_path: join(workspace, id), content: "half of i" },
  });
  const [answer] = await session.handle({
    role: "assistant",
    stop_reason: "max_tokens",
    content: [write("whole"), write("half")],
  });
  expect(answer?.content).toMatchObject([
    { tool_use_id: "whole", content: expect.any(String) },
    { tool_use_id: "half", is_error: true, content: expect.stringContaining("are cut off") },
  ]);
  expect(await readFile(join(workspace, "whole"), "utf8")).toBe("half of i");
  await expect(readFile(join(workspace, "half"))).rejects.toThrow("ENOENT");
});

test("Gemini: functions are answered by name and id, errors as errors", async () => {
  const { session } = await openTestSession({ tools });
  const content = {
    role: "model",
    parts: [
      { text: "Let me see." },
      { functionCall: { name: "echo", args: { text: "a" } }, thoughtSignature: "abc" },
      { functionCall: { id: "f2", name: "echo", args: { text: "b" } } },
      { functionCall: { name: "nope", args: {} } },
    ],
  };
  const answers = await session.handle(content);
  expect(answers).toEqual([
    {
      role: "user",
      parts: [
        { functionResponse: { name: "echo", response: { output: "a" } } },
        { functionResponse: { id: "f2", name: "echo", response: { output: "b" } } },
        { functionResponse: { name: "nope", response: { error: expect.stringContaining("nope") } } },
      ],
    },
  ]);
  expect(await session.handle({ candidates: [{ content }] })).toEqual(answers);
});

test("AI SDK: a model message's calls are answered in a tool message, but not those of the provider", async () => {
  const { session } = await openTestSession({ tools: [...tools, act] });
  const answers = await session.handle({
    role: "assistant",
    content: [
      { type: "text", text: "Let me see." },
      { type: "tool-call", toolCallId: "a", toolName: "echo", input: { text: "a" } },
      { type: "tool-call", toolCallId: "b", toolName: "web_search", input: {}, providerExecuted: true },
      { type: "tool-call", toolCallId: "c", toolName: "nope", input: {} },
      { type: "tool-call", toolCallId: "d", toolName: "act", input: {} },
    ],
  });
  const result = (toolCallId: string, toolName: string, output: object) => ({
    type: "tool-result",
    toolCallId,
    toolName,
    output,
  });
  expect(answers).toEqual([
    {
      role: "tool",
      content: [
        result("a", "echo", { type: "text", value: "a" }),
        result("c", "nope", { type: "error-text", value: expect.stringContaining("nope") }),
        result("d", "act", { type: "execution-denied", reason: expect.any(String) }),
      ],
    },
  ]);
});

test("MCP: a request is answered with its result", async () => {
  const { session } = await openTestSession({ tools });
  const call = (name: string, args: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });
  expect(await session.handle(call("echo", { text: "a" }))).toEqual([
    { content: [{ type: "text", text: "a" }] },
  ]);
  expect(await session.handle(call("draw", {}))).toEqual([
    {
      content: [
        { type: "text", text: "A dot:" },
        { type: "image", data: pixel, mimeType: "image/png" },
      ],
    },
  ]);
  expect(await session.handle(call("nope", {}))).toMatchObject([{ isError: true }]);
});

test("a whole chat completion is taken too, and a call without arguments at its cut end is not run", async () => {
  const { session } = await openTestSession({ tools });
  const completion = (finish_reason: string) => ({
    choices: [
      {
        finish_reason,
        message: {
          role: "assistant",
          tool_calls: [{ id: "a", function: { name: "nothing", arguments: "" } }],
        },
      },
    ],
  });
  expect(await session.handle(completion("tool_calls"))).toMatchObject([{ content: "" }]);
  expect(await session.handle(completion("length"))).toMatchObject([
    { content: expect.stringContaining("are cut off") },
  ]);
});
