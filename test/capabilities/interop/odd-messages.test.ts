import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";

const tools = [echo];

test("arguments that are not JSON are refused with the reason, and on record", async () => {
  const { session } = await openTestSession({ tools });
  const call = (id: string, text: string) => ({ id, function: { name: "echo", arguments: text } });
  const answers = await session.handle({
    role: "assistant",
    tool_calls: [
      call("cut", '{"text":"a"'),
      call("bad", "text=a"),
      call("fenced", '```json\n{"text":"a"}\n```'),
    ],
  });
  expect(answers).toMatchObject([
    { content: expect.stringContaining("invalid input for echo: the arguments are cut off") },
    { content: expect.stringContaining("invalid input for echo: the arguments are not valid JSON") },
    { content: "a" },
  ]);
  const seen = [];
  for await (const event of session.events()) {
    if (event.type !== "call-end") continue;
    seen.push([event.callId, event.receipt.code]);
    if (seen.length === 3) break;
  }
  expect(seen.sort()).toEqual([
    ["bad", "invalid-input"],
    ["cut", "invalid-input"],
    ["fenced", undefined],
  ]);
});

test("a tool that takes anything is still not run with arguments that were cut off", async () => {
  let runs = 0;
  const open = defineTool({
    name: "open",
    description: "Takes anything.",
    input: { type: "object", additionalProperties: true },
    traits: { readOnly: true },
    run: () => {
      runs += 1;
      return "ran";
    },
  });
  const { session } = await openTestSession({ tools: [open] });
  await session.handle({
    role: "assistant",
    tool_calls: [{ id: "a", function: { name: "open", arguments: '{"a":1' } }],
  });
  expect(runs).toBe(0);
});

test("a call that comes twice under one id runs once, and another call under that id is refused in the same answer", async () => {
  let runs = 0;
  const count = defineTool({
    name: "count",
    description: "Counts.",
    params: { by: { type: "integer", default: 1 } },
    traits: { readOnly: true },
    run: ({ by }) => {
      runs += by;
      return `now ${runs}`;
    },
  });
  const { session } = await openTestSession({ tools: [count] });
  const use = (id: string, input: object) => ({ type: "tool_use", id, name: "count", input });
  const [answer] = await session.handle({
    role: "assistant",
    stop_reason: "tool_use",
    content: [use("a", {}), use("a", {}), use("b", { by: 10 }), use("a", { by: 100 })],
  });
  expect(runs).toBe(11);
  expect(answer?.content).toEqual([
    {
      type: "tool_result",
      tool_use_id: "a",
      content: expect.stringMatching(/^now 1\nYou also called count under the same id; that did not run/),
    },
    { type: "tool_result", tool_use_id: "b", content: "now 11" },
  ]);
});

test("calls without an id all run", async () => {
  const { session } = await openTestSession({ tools });
  const call = (text: string) => ({
    id: "",
    function: { name: "echo", arguments: JSON.stringify({ text }) },
  });
  expect(await session.handle({ role: "assistant", tool_calls: [call("a"), call("b")] })).toMatchObject([
    { content: "a" },
    { content: "b" },
  ]);
});

test.each([
  { role: "assistant", content: "Done." },
  { role: "assistant", content: "Done.", tool_calls: [] },
  { role: "assistant", content: [{ type: "text", text: "Done." }] },
  { role: "model", parts: [{ text: "Done." }] },
  { output: [{ type: "message", content: [] }] },
  { choices: [] },
  { role: "user", content: "hi" },
  { tool_calls: null, content: 5, parts: null },
  { role: "assistant", content: "Done.", tool_calls: null, function_call: null },
  { role: "assistant", content: null, refusal: "No.", tool_calls: [] },
  { content: [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }] },
  { output: [{ type: "web_search_call", id: "ws" }], error: null },
  { candidates: [{ finishReason: "SAFETY" }] },
  [{ type: "message", role: "assistant", content: [] }],
  {},
  [],
])("the message %j has no calls and no answer", async (message) => {
  const { session } = await openTestSession();
  expect(await session.handle(message)).toEqual([]);
});

test("calls without a name and arguments are answered all the same", async () => {
  const { session } = await openTestSession();
  expect(await session.handle({ tool_calls: [{}, { id: 5, function: { name: 7, arguments: [] } }] })).toEqual(
    [
      { role: "tool", tool_call_id: "", content: expect.stringContaining("no tool named") },
      { role: "tool", tool_call_id: "", content: expect.stringContaining("no tool named") },
    ],
  );
});

test("a value that cannot be a message is the caller's mistake", async () => {
  const { session } = await openTestSession();
  for (const message of [null, undefined, "hi", 5]) {
    await expect(session.handle(message)).rejects.toThrow("a message must be an object");
  }
  await expect(session.handle({}, { format: "openia" as never })).rejects.toThrow("did you mean openai");
});

test("a value that looks like a message is not taken for a message without calls", async () => {
  const { session } = await openTestSession({ tools });
  const call = { id: "a", function: { name: "echo", arguments: "{}" } };
  const message = { role: "assistant", tool_calls: [call] };
  await expect(session.handle([{ role: "user", content: "hi" }, message])).rejects.toThrow(
    "only the model's last message",
  );
  await expect(session.handle({ role: "assistant", tool_calls: call })).rejects.toThrow("must be a list");
  await expect(session.handle({ role: "assistant", tool_calls: ["a"] })).rejects.toThrow("must be a list");
  const old = { role: "assistant", content: null, function_call: call.function };
  await expect(session.handle(old)).rejects.toThrow("an old form");
  const error = { type: "error", error: { type: "overloaded_error", message: "too busy" } };
  await expect(session.handle(error)).rejects.toThrow(
    "an error from the model's vendor, not a message: too busy",
  );
});

test.each(["max_tokens", "refusal", "model_context_window_exceeded"])(
  "a call at the end of a message that ended with %s is not run",
  async (stop_reason) => {
    const { session } = await openTestSession({ tools });
    const block = { type: "tool_use", id: "a", name: "echo", input: { text: "half of i" } };
    const [answer] = await session.handle({ role: "assistant", content: [block], stop_reason });
    expect(answer?.content[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining("are cut off"),
    });
  },
);

test("an id that is unfit for a log is answered to, and the call gets one of its own", async () => {
  const { session } = await openTestSession({ tools });
  const id = `../${"x".repeat(300)}`;
  const answers = await session.handle({
    role: "assistant",
    tool_calls: [{ id, function: { name: "echo", arguments: '{"text":"a"}' } }],
  });
  expect(answers).toEqual([{ role: "tool", tool_call_id: id, content: "a" }]);
});

test("null for an argument that may be left out means that it is, in OpenAI's formats", async () => {
  const { session } = await openTestSession({ tools });
  const call = (input: object) => ({ id: "a", function: { name: "echo", arguments: JSON.stringify(input) } });
  expect(
    await session.handle({ role: "assistant", tool_calls: [call({ text: "a", times: null })] }),
  ).toMatchObject([{ content: "a" }]);
  expect(await session.handle({ role: "assistant", tool_calls: [call({ text: null })] })).toMatchObject([
    { content: expect.stringContaining("$.text") },
  ]);
});

test("calls that are not safe beside others run one after the other, in order", async () => {
  const { session, workspace } = await openFileSession({ "a.txt": "0" });
  const path = join(workspace, "a.txt");
  const use = (index: number) => ({
    type: "tool_use",
    id: `t${index}`,
    name: "Edit",
    input: { file_path: path, old_string: `${index}`, new_string: `${index + 1}` },
  });
  const answers = await session.handle({ role: "assistant", content: [0, 1, 2, 3, 4].map(use) });
  expect(JSON.stringify(answers)).not.toContain("is_error");
  expect(await readFile(path, "utf8")).toBe("5");
});

test("a hundred calls of one message are answered in order", async () => {
  const { session } = await openTestSession({ tools });
  const texts = Array.from({ length: 100 }, (_, index) => `t${index}`);
  const answers = await session.handle({
    parts: texts.map((text) => ({ functionCall: { name: "echo", args: { text } } })),
  });
  const parts = answers[0]!.parts as { functionResponse: { response: { output: string } } }[];
  expect(parts.map(({ functionResponse }) => functionResponse.response.output)).toEqual(texts);
});

test("a caller who gives up gets an answer to every call", async () => {
  const { session } = await openTestSession({ tools });
  const call = (id: string) => ({ id, function: { name: "echo", arguments: '{"text":"a"}' } });
  const answers = await session.handle(
    { role: "assistant", tool_calls: [call("a"), call("b")] },
    { signal: AbortSignal.abort() },
  );
  expect(answers).toMatchObject([{ tool_call_id: "a" }, { tool_call_id: "b" }]);
  expect(JSON.stringify(answers)).toContain("cancelled");
});

test("text that is not well-formed Unicode is mended before it is sent", async () => {
  const half = defineTool({ name: "half", description: "Half.", params: {}, run: () => "a\ud83d" });
  const { session } = await openTestSession({ tools: [half], permissions: { mode: "auto" } });
  expect(await session.handle({ tool_calls: [{ id: "a", function: { name: "half" } }] })).toMatchObject([
    { content: "a\ufffd" },
  ]);
});
