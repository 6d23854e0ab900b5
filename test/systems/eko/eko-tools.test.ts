import { describe, expect, test } from "vitest";
import type { RuntimeOptions } from "../../../src/index.ts";
import {
  type AgentContext,
  ekoTools,
  type LanguageModelV1ToolCallPart,
  type StreamCallbackMessage,
  type Tool,
  type ToolResult,
} from "../../../src/systems/eko/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

/** As Eko's users write a tool: a class that implements the interface. */
class SendEmail implements Tool {
  name = "send_email";
  description = "Sends an email.";
  parameters: unknown;
  readonly sent: unknown[] = [];

  constructor() {
    const text = (description: string) => ({ type: "string", description });
    this.parameters = {
      type: "object",
      properties: { to: text("Whom to"), subject: text("About what"), content: text("The text") },
      required: ["to", "subject", "content"],
    };
  }

  async execute(
    args: Record<string, unknown>,
    agentContext: AgentContext,
    toolCall: LanguageModelV1ToolCallPart,
  ): Promise<ToolResult> {
    this.sent.push({ args, by: agentContext.agent.Name, call: toolCall.toolName });
    return { content: [{ type: "text", text: JSON.stringify({ messageId: this.sent.length }) }] };
  }
}

const noParameters = { type: "object", properties: {} };

async function openWith(tools: readonly Tool[], options: RuntimeOptions = {}) {
  return openTestSession({ permissions: { mode: "auto" }, tools: ekoTools(tools), ...options });
}

/** A tool that does one thing. */
function toolThat(execute: Tool["execute"], more: Partial<Tool> = {}): Tool {
  return { name: "it", description: "Does it.", parameters: noParameters, execute, ...more };
}

test("E3, E6: a class with a method `execute` is a tool, and keeps its state", async () => {
  const email = new SendEmail();
  const { session } = await openWith([email]);
  const input = { to: "a@example.org", subject: "s", content: "c" };
  expect(await session.call("send_email", input)).toMatchObject({ status: "done", text: '{"messageId":1}' });
  expect(await session.call("send_email", input)).toMatchObject({ text: '{"messageId":2}' });
  expect(email.sent[0]).toMatchObject({ args: input, call: "send_email" });
});

test("an Eko tool has its arguments checked, and its calls judged and recorded, as any other tool", async () => {
  const email = new SendEmail();
  const { session, runtime } = await openWith([email], { permissions: { mode: "ask" } });
  expect(await session.call("send_email", { to: "a@example.org" })).toMatchObject({
    error: { code: "invalid-input" },
  });
  const input = { to: "a@example.org", subject: "s", content: "c" };
  expect(await session.call("send_email", input)).toMatchObject({ error: { code: "approval-needed" } });
  expect(email.sent).toEqual([]);
  expect((await runtime.receipts()).map(({ status }) => status)).toEqual(["denied", "failed"]);
});

test.each<[string, object]>([
  ["parameters", { parameters: noParameters }],
  ["input_schema", { parameters: undefined, input_schema: noParameters }],
  ["inputSchema", { parameters: undefined, inputSchema: noParameters }],
  [
    "a function as OpenAI describes it",
    {
      type: "function",
      name: undefined,
      parameters: undefined,
      function: { name: "it", parameters: noParameters },
    },
  ],
])("the schema may be given as %s", async (_, more) => {
  const { session } = await openWith([
    toolThat(async () => ({ content: [{ type: "text", text: "done" }] }), more as Partial<Tool>),
  ]);
  expect(await session.call("it", {})).toMatchObject({ status: "done", text: "done" });
  expect(await session.call("it", { unknown: 1 })).toMatchObject({ error: { code: "invalid-input" } });
});

test("E7, E8: variables of the agent and of the task are there for the next tool, and after a restart", async () => {
  const remember = toolThat(async (_, { variables, context }) => {
    const before = [variables.get("id1"), context.variables.get("id2")];
    variables.set("id1", "mine");
    context.variables.set("id2", "ours");
    return { content: [{ type: "text", text: JSON.stringify(before) }] };
  });
  const { session, runtime } = await openWith([remember]);
  expect((await session.call("it", {})).text).toBe("[null,null]");
  expect((await session.call("it", {})).text).toBe('["mine","ours"]');
  await session.close();
  const again = await runtime.openSession({ id: session.id });
  expect((await again.call("it", {})).text).toBe('["mine","ours"]');
});

describe("a tool that says what it does while it runs", () => {
  const logs = ["one", "two", "three"];
  const running = toolThat(async (_args, agentContext, toolCall) => {
    const { callback } = agentContext.context.config;
    const about = {
      taskId: agentContext.context.taskId,
      agentName: agentContext.agent.Name,
      nodeId: agentContext.agentChain.agent.id,
      type: "tool_running",
      toolName: toolCall.toolName,
      toolId: toolCall.toolCallId,
      streamId: "stream",
    };
    for (const text of logs) await callback.onMessage({ ...about, text, streamDone: false });
    await callback.onMessage({ ...about, text: logs.join("\n"), streamDone: true });
    return { content: [{ type: "text", text: "Done." }] };
  });

  test("E9, E10, E11: what a tool says while it runs is heard by the callback, word for word", async () => {
    const heard: StreamCallbackMessage[] = [];
    const callback = { onMessage: (message: StreamCallbackMessage) => void heard.push(message) };
    const agent = { taskId: "t", agentName: "Runner", nodeId: "t-00" };
    const { session } = await openTestSession(
      { permissions: { mode: "auto" }, tools: ekoTools([running], { callback, agent }) },
      { caller: { kind: "agent", name: "Runner" } },
    );
    const { callId: id } = await session.call("it", {});
    const about = { type: "tool_running", toolName: "it", toolId: id, streamId: "stream" };
    expect(heard).toMatchObject([
      ...logs.map((text) => ({ ...about, text, streamDone: false })),
      { ...about, text: "one\ntwo\nthree", streamDone: true },
    ]);
    expect(heard[0]).toMatchObject(agent);
  });

  test("is heard by a follower of the call, each text once", async () => {
    const { session } = await openWith([running]);
    const updates: unknown[] = [];
    await session.call("it", {}, { onProgress: (update) => void updates.push(update) });
    expect(updates).toEqual(logs.map((text) => ({ text })));
  });
});

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test.each<[string, ToolResult, object]>([
  [
    "an error",
    { content: [{ type: "text", text: "Error: no" }], isError: true },
    { status: "failed", error: { message: "no" } },
  ],
  ["nothing at all", { content: [] }, { status: "done", text: "Successful" }],
  [
    "an image of a kind that it does not name",
    { content: [{ type: "image", data: png }] },
    { status: "done", content: [{ type: "image", data: png, mimeType: "image/png" }] },
  ],
  [
    "more for code than for the model",
    { content: [{ type: "text", text: "x" }], extInfo: { pages: 3 } },
    { status: "done", text: "x", data: { pages: 3 } },
  ],
])("%s is understood", async (_, result, expected) => {
  const { session } = await openWith([toolThat(async () => result)]);
  expect(await session.call("it", {})).toMatchObject(expected);
});

test.each<[string, Tool["execute"], object]>([
  ["returns no result", async () => undefined as never, { code: "invalid-output" }],
  [
    "returns another part",
    async () => ({ content: [{ type: "video" }] }) as never,
    { code: "invalid-output" },
  ],
  [
    "throws a word",
    () => {
      throw "nothing";
    },
    { code: "tool-failed" },
  ],
  ["never ends", () => new Promise<never>(() => {}), { code: "timed-out" }],
])("a tool that %s fails with a clear error", async (_, execute, error) => {
  const { session } = await openWith([toolThat(execute)]);
  expect(await session.call("it", {}, { timeoutMs: 50 })).toMatchObject({
    status: expect.any(String),
    error,
  });
});

test("a tool that asks its context learns that its call is cancelled", async () => {
  const started = Promise.withResolvers<AgentContext>();
  const { session } = await openWith([
    toolThat((_, context) => {
      started.resolve(context);
      return new Promise<never>(() => {});
    }),
  ]);
  const cancel = new AbortController();
  const call = session.call("it", {}, { signal: cancel.signal });
  const { context } = await started.promise;
  expect(() => context.checkAborted()).not.toThrow();
  cancel.abort();
  expect((await call).status).toBe("cancelled");
  expect(() => context.checkAborted()).toThrow("Operation was interrupted");
});
