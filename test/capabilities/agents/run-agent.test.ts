import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { act, echo, hang } from "../../support/sample-tools.ts";
import { answersIn, calling, openTestAgent } from "./open-agent.ts";

test("an agent calls tools until the model has nothing more to do, and shows it what came of them", async () => {
  const { agent, requests, session } = await openTestAgent(
    [
      { reasoning: "first", text: "Let me see.", calls: [{ name: "echo", input: { text: "hi" }, id: "a" }] },
      { text: "It says hi." },
    ],
    { runtime: { tools: [echo] } },
  );
  const result = await agent.run("what does it say?");
  expect(result).toMatchObject({ reason: "done", text: "It says hi.", steps: 2, sessionId: session.id });
  expect(requests[1]!.prompt.slice(1)).toEqual([
    { role: "user", content: [{ type: "text", text: "what does it say?" }] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "first" },
        { type: "text", text: "Let me see." },
        { type: "tool-call", toolCallId: "a", toolName: "echo", input: { text: "hi" } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "a",
          toolName: "echo",
          output: { type: "text", value: "hi" },
        },
      ],
    },
  ]);
});

test("every call of a step is answered, whether it ran, failed, was denied or was malformed", async () => {
  const broken = { name: "echo", input: '{"text": "half' };
  const { agent, requests } = await openTestAgent(
    [
      {
        calls: [
          { name: "echo", input: { text: "ok" } },
          { name: "echo", input: { text: "" } },
          { name: "ekho", input: {} },
          { name: "act", input: {} },
          broken,
          { name: "echo", input: [1] },
        ],
      },
      { text: "done" },
    ],
    { runtime: { tools: [echo, act], permissions: { mode: "auto", deny: ["act"] } } },
  );
  await agent.run("go");
  const answers = answersIn(requests[1]!);
  expect(answers.map(({ type }) => type)).toEqual([
    "text",
    "error-text",
    "error-text",
    "error-text",
    "error-text",
    "error-text",
  ]);
  const texts = answers.map((answer) => ("value" in answer ? String(answer.value) : ""));
  expect(texts[2]).toContain("echo");
  expect(texts[3]).toContain("denied");
  expect(texts[4]).toContain("are cut off");
});

test("calls of one step that are safe beside each other run together", async () => {
  let waiting = 0;
  const all = Promise.withResolvers<void>();
  const meet = defineTool({
    name: "meet",
    description: "Waits for the others.",
    params: {},
    traits: { readOnly: true, concurrencySafe: true },
    async run() {
      waiting += 1;
      if (waiting === 3) all.resolve();
      await all.promise;
      return "met";
    },
  });
  const three = { calls: [{ name: "meet" }, { name: "meet" }, { name: "meet" }] };
  const { agent } = await openTestAgent([three, { text: "done" }], { runtime: { tools: [meet] } });
  expect(await agent.run("go")).toMatchObject({ reason: "done" });
});

test("call ids that a model uses again become different ids", async () => {
  const step = {
    calls: [
      { name: "echo", input: { text: "x" }, id: "call_0" },
      { name: "echo", input: { text: "y" }, id: "call_0" },
      { name: "echo", input: { text: "z" }, id: "" },
    ],
  };
  const { agent, requests } = await openTestAgent([step, step, { text: "done" }], {
    runtime: { tools: [echo] },
  });
  await agent.run("go");
  const ids = requests[2]!.prompt.flatMap((message) =>
    message.role === "tool"
      ? message.content.map((part) => ("toolCallId" in part ? part.toolCallId : ""))
      : [],
  );
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
  expect(ids).not.toContain("");
});

test.each([
  ["steps", { maxSteps: 2 }, "max-steps"],
  ["tokens", { budget: { tokens: 25 } }, "budget"],
  ["time", { budget: { timeMs: 0 } }, "budget"],
  ["its own calls", { budget: { calls: 1 } }, "budget"],
  ["a condition", { stopWhen: ({ steps }: { steps: number }) => steps === 2 }, "stop-condition"],
  ["calls", { runtime: { tools: [echo], budget: { calls: 1 } } }, "budget"],
] as const)(
  "an agent that never ends is stopped by %s, with every call answered",
  async (_what, options, reason) => {
    const usage = { inputTokens: 10, outputTokens: 5 };
    const { agent, requests } = await openTestAgent(() => calling("echo", { text: "on" }, { usage }), {
      runtime: { tools: [echo] },
      ...options,
    });
    expect(await agent.run("go on for ever")).toMatchObject({
      reason,
      steps: reason === "budget" && "budget" in options && "timeMs" in options.budget ? 0 : 2,
    });
    for (const { prompt } of requests) expect(prompt.at(-1)!.role).not.toBe("assistant");
  },
);

test("an answer that was cut off or refused is told as such", async () => {
  const { agent } = await openTestAgent([
    { text: "once upon a", finishReason: "length" },
    { text: "", finishReason: "content-filter" },
  ]);
  expect(await agent.run("tell a story")).toMatchObject({ reason: "cut-off", text: "once upon a" });
  expect(await agent.run("go on")).toMatchObject({ reason: "refused" });
});

test("a call at the end of an answer that was cut off never runs", async () => {
  const { agent, requests, runtime } = await openTestAgent(
    [calling("act", {}, { finishReason: "length" }), { text: "done" }],
    { runtime: { tools: [act] } },
  );
  await agent.run("go");
  expect(answersIn(requests[1]!)).toMatchObject([{ type: "error-text" }]);
  expect(await runtime.receipts()).toMatchObject([{ status: "failed", code: "invalid-input" }]);
});

test("an agent-wide limit ends a tool that looks at no signal, and the agent goes on", async () => {
  const { agent, requests, runtime } = await openTestAgent([calling("hang"), { text: "went on" }], {
    runtime: { tools: [hang] },
    toolTimeoutMs: 50,
  });
  expect(await agent.run("go")).toMatchObject({ reason: "done", text: "went on" });
  expect(await runtime.receipts()).toMatchObject([{ status: "timed-out" }]);
  expect(answersIn(requests[1]!)).toMatchObject([{ type: "error-text" }]);
});

test("the agent-wide limit neither lengthens nor lifts what a tool says of itself", async () => {
  const quick = defineTool({ ...hang, name: "quick", params: {}, traits: { timeoutMs: 20 }, run: hang.run });
  const slow = defineTool({
    ...hang,
    name: "slow",
    params: {},
    traits: { timeoutMs: 600_000 },
    run: hang.run,
  });
  const { agent, runtime } = await openTestAgent([calling("quick"), calling("slow", {}), { text: "done" }], {
    runtime: { tools: [quick, slow] },
    toolTimeoutMs: 60,
  });
  await agent.run("go");
  const [second, first] = await runtime.receipts();
  expect([first!.status, second!.status]).toEqual(["timed-out", "timed-out"]);
});

test("a stop condition may be asynchronous", async () => {
  const { agent } = await openTestAgent(() => calling("echo", { text: "on" }), {
    runtime: { tools: [echo] },
    stopWhen: async ({ steps }) => steps === 2,
  });
  expect(await agent.run("go")).toMatchObject({ reason: "stop-condition", steps: 2 });
});

test("an agent's own handlers get its approvals and its questions", async () => {
  const ask = defineTool({
    name: "ask",
    description: "Asks.",
    params: {},
    run: async (_input, context) => context.ask("Which?"),
  });
  const asked: unknown[] = [];
  const { agent, requests } = await openTestAgent([calling("ask"), { text: "done" }], {
    runtime: { tools: [ask], permissions: { mode: "ask" } },
    onApproval: ({ tool }) => {
      asked.push(tool);
      return "allow";
    },
    onQuestion: async ({ text }) => `${text} That one.`,
  });
  await agent.run("go");
  expect(asked).toEqual(["ask"]);
  expect(answersIn(requests[1]!)).toMatchObject([{ value: "Which? That one." }]);
});
