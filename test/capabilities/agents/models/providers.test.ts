import { expect, test } from "vitest";
import { modelNames, serveModel } from "../../../support/model-server/serve-model.ts";
import type { ServedScript } from "../../../support/model-server/start-model-server.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";

async function openServed(name: string, script: ServedScript) {
  const { model, requests } = await serveModel(name, script);
  const opened = await openTestSession({ tools: [echo], permissions: { mode: "auto" } });
  const agent = opened.runtime.agent({ model, session: opened.session, retryDelayMs: 1 });
  return { ...opened, agent, requests };
}

test.each(modelNames)("%s streams text and calls, and takes back what came of them", async (name) => {
  const { agent, requests } = await openServed(name, [
    {
      text: "Let me look.",
      calls: [
        { name: "echo", input: { text: "hello" } },
        { name: "echo", input: { text: "" } },
        { name: "nope", input: {} },
      ],
    },
    { calls: [{ name: "echo", input: { text: "again" } }], usage: { inputTokens: 100, outputTokens: 20 } },
    { text: "It said hello." },
  ]);
  const result = await agent.run("what does it say?");
  expect(result).toMatchObject({ reason: "done", text: "It said hello.", steps: 3 });
  expect(result.usage).toMatchObject({ inputTokens: 120, outputTokens: 30 });
  expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
  expect(requests[2]!.text).toContain("again");
  const second = await agent.run("thanks");
  expect(second).toMatchObject({
    reason: "failed",
    error: { message: expect.stringContaining("no step 4") },
  });
});

test.each(modelNames)(
  "%s is asked again after rate limits, overload and connections that break",
  async (name) => {
    const { agent, requests, session } = await openServed(name, [
      { status: 429, message: "slow down", headers: { "retry-after-ms": "1" } },
      { status: 503, message: "overloaded" },
      { text: "this is never seen whole", breakOffAt: "text" },
      { text: "x", calls: [{ name: "echo", input: { text: "never run" } }], breakOffAt: "finish" },
      { text: "here I am" },
    ]);
    expect(await agent.run("hello?")).toMatchObject({ reason: "done", text: "here I am", steps: 1 });
    expect(requests).toHaveLength(5);
    const retries: unknown[] = [];
    for await (const event of session.events()) {
      if (event.type === "model-retry") retries.push(event.attempt);
      if (event.type === "call-start") retries.push("a call was run");
      if (event.type === "agent-end") break;
    }
    expect(retries).toEqual([1, 2, 3, 4]);
  },
);

const halves = modelNames.flatMap((name) =>
  (["input", "finish"] as const).map((phase) => [name, phase] as const),
);

test.each(halves)("%s is asked again when its answer just ends before its %s", async (name, endAt) => {
  const { agent, requests, session } = await openServed(name, [
    { text: "I will", calls: [{ name: "echo", input: { text: "never run" } }], endAt },
    { text: "here I am" },
  ]);
  expect(await agent.run("hello?")).toMatchObject({ reason: "done", text: "here I am", steps: 1 });
  expect(requests).toHaveLength(2);
  for await (const { type } of session.events()) {
    expect(type).not.toBe("call-start");
    if (type === "agent-end") break;
  }
});

test.each(modelNames)("%s is asked again when it tells of a fault of its own in the middle", async (name) => {
  const { agent, requests } = await openServed(name, [
    { text: "I will", calls: [{ name: "echo", input: { text: "x" } }], failAt: "text" },
    { text: "I will", calls: [{ name: "echo", input: { text: "x" } }], failAt: "finish" },
    { text: "here I am" },
  ]);
  expect(await agent.run("hello?")).toMatchObject({ reason: "done", text: "here I am", steps: 1 });
  expect(requests).toHaveLength(3);
});

test("gemini is asked again after a call that it could not write", async () => {
  const { agent, requests } = await openServed("google/gemini-3-test", [
    { text: "Now I call", finishReason: "error" },
    { finishReason: "error" },
    { text: "here I am" },
  ]);
  expect(await agent.run("hello?")).toMatchObject({ reason: "done", text: "here I am" });
  expect(requests).toHaveLength(3);
});

test("gemini is asked again when it asked to be, which it does in its answer", async () => {
  const { runtime, session } = await openTestSession();
  const { model } = await serveModel("google/gemini-3-test", [
    { status: 429, message: "slow down" },
    { text: "hello" },
  ]);
  // Left to itself the agent would wait longer than a test may take.
  const agent = runtime.agent({ model, session, retryDelayMs: 30_000 });
  expect(await agent.run("hi")).toMatchObject({ reason: "done", text: "hello" });
});

test("openai takes sessions with long names", async () => {
  const { model, requests } = await serveModel("openai/gpt-test", [{ text: "hello" }]);
  const { runtime } = await openTestSession();
  const agent = runtime.agent({ model, session: { id: "x".repeat(128) } });
  expect(await agent.run("hi")).toMatchObject({ reason: "done" });
  expect(requests[0]!.problems).toEqual([]);
});

test.each(modelNames)("%s is not asked again when it says no", async (name) => {
  const { agent, requests } = await openServed(name, [{ status: 401, message: "who are you?" }]);
  const result = await agent.run("hello?");
  expect(result).toMatchObject({
    reason: "failed",
    error: { message: expect.stringContaining("who are you?") },
  });
  expect(result.error!.message).toContain("401");
  expect(requests).toHaveLength(1);
});

test("a server that asks for more patience than a person has is not waited for", async () => {
  const { agent, requests } = await openServed(modelNames[0], [
    { status: 429, message: "come back tomorrow", headers: { "retry-after": "86400" } },
  ]);
  expect(await agent.run("hello?")).toMatchObject({ reason: "failed" });
  expect(requests).toHaveLength(1);
});

const patience = { timeout: 45_000 };
const phases = ["answer", "text", "input", "finish"] as const;
const everyPhase = modelNames.flatMap((name) => phases.map((phase) => [name, phase] as const));

test.each(everyPhase)("%s can be interrupted while it hangs at its %s, and goes on", async (name, hangAt) => {
  const { agent, requests, session } = await openServed(name, (_request, count) =>
    count === 1
      ? { text: "I think that ", calls: [{ name: "echo", input: { text: "some words" } }], hangAt }
      : { text: "fine" },
  );
  const running = agent.run("go");
  const telling = { answer: "step-start", text: "text-delta", input: "text-delta", finish: "text-delta" };
  for await (const { type } of session.events()) if (type === telling[hangAt]) break;
  await expect.poll(() => requests.length, patience).toBe(1);
  agent.interrupt();
  expect(await running).toMatchObject({ reason: "interrupted" });
  expect(await agent.run("well?")).toMatchObject({ reason: "done", text: "fine" });
  expect(requests[1]!.problems).toEqual([]);
  expect(requests[1]!.text.includes("I th")).toBe(hangAt !== "answer");
  expect(requests[1]!.text).not.toContain("some words");
  await expect.poll(() => requests[0]!.wasAbandoned, patience).toBe(true);
});

test.each(modelNames)("%s that goes silent is left and asked again", async (name) => {
  const { model } = await serveModel(name, (_request, count) =>
    count === 1 ? { text: "hm", hangAt: "text" } : { text: "awake" },
  );
  const { runtime } = await openTestSession();
  // Long enough for the one that speaks, also where this process gets little time.
  const agent = runtime.agent({ model, modelTimeoutMs: 1000, retryDelayMs: 1 });
  expect(await agent.run("hello?")).toMatchObject({ reason: "done", text: "awake" });
});

test.each(modelNames)("%s reads the same beginning in every prompt, to the byte", async (name) => {
  const { agent, requests } = await openServed(name, (_request, count) =>
    count % 3 === 0
      ? { text: `done ${count}` }
      : { reasoning: "hm", text: `step ${count}`, calls: [{ name: "echo", input: { text: `${count}` } }] },
  );
  await agent.run("first");
  await agent.run("second");
  expect(requests).toHaveLength(6);
  for (const [index, request] of requests.slice(1).entries()) {
    const before = prefixOf(requests[index]!.body);
    const after = prefixOf(request.body);
    expect(after.tools).toBe(before.tools);
    expect(after.system).toBe(before.system);
    expect(after.messages.startsWith(before.messages.slice(0, -1))).toBe(true);
  }
});

function prefixOf(body: Record<string, unknown>) {
  const messages = JSON.stringify(body.messages ?? body.input ?? body.contents);
  return {
    tools: JSON.stringify(body.tools),
    system: JSON.stringify(body.system ?? body.systemInstruction ?? ""),
    messages,
  };
}

test("a thought goes back with its signature", async () => {
  const { agent, requests } = await openServed("anthropic/claude-test", [
    { reasoning: "I should look.", calls: [{ name: "echo", input: { text: "x" } }] },
    { text: "done" },
  ]);
  await agent.run("go");
  expect(requests[1]!.body.messages[1].content[0]).toEqual({
    type: "thinking",
    thinking: "I should look.",
    signature: "signed-14",
  });
});

test.each(modelNames)("%s is told how much to think", async (name) => {
  // OpenAI's provider passes it on only to models that it knows to think.
  const thinking = name.replace("gpt-test", "gpt-5-test");
  const { model, requests } = await serveModel(thinking, [{ text: "a" }, { text: "b" }]);
  const { runtime } = await openTestSession();
  await runtime.agent({ model }).run("hi");
  await runtime.agent({ model, reasoning: "high" }).run("hi");
  const [plain, hard] = requests.map(({ text }) => text);
  const marks = /"effort":"high"|"reasoning_effort":"high"|"thinkingLevel":"high"|"budget_tokens":\d+/i;
  expect(plain).not.toMatch(marks);
  expect(hard).toMatch(marks);
});
