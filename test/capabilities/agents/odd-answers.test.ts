import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { openRuntime } from "../../../src/index.ts";
import { createPlace } from "../../e2e/open-temporary-runtime.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";
import { answersIn, calling, openTestAgent, recordedModel } from "./open-agent.ts";

const usage = { inputTokens: {}, outputTokens: {} };
const finish = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage };
const hello = { type: "text-delta", id: "1", delta: "hello" };

/** Streams the parts and then says nothing more, without an end. */
function hangingAfter(...parts: readonly object[]): LanguageModelV4 {
  return {
    ...scriptedModel([]),
    doStream: async () => ({
      stream: new ReadableStream<LanguageModelV4StreamPart>({
        start(stream) {
          for (const part of parts) stream.enqueue(part as LanguageModelV4StreamPart);
        },
      }),
    }),
  };
}

test("an answer is over when the model says so, also where its stream stays open", async () => {
  const { runtime } = await openTestSession();
  const agent = runtime.agent({ model: hangingAfter(hello, finish) });
  expect(await agent.run("go")).toMatchObject({ reason: "done", text: "hello" });
});

test("an error in the stream is the end of it, also where the stream stays open", async () => {
  const { runtime } = await openTestSession();
  const error = { type: "error", error: { type: "invalid_request_error", message: "no such thing" } };
  const agent = runtime.agent({ model: hangingAfter(hello, error) });
  expect(await agent.run("go")).toMatchObject({ reason: "failed", error: { message: "no such thing" } });
});

test("an answer of more parts than any model writes is refused before they are read", async () => {
  const calls = Array.from({ length: 5001 }, (_, at) => ({
    type: "tool-input-start",
    id: `${at}`,
    toolName: "echo",
  }));
  const { runtime } = await openTestSession();
  const agent = runtime.agent({ model: hangingAfter(...calls) });
  expect(await agent.run("go")).toMatchObject({
    reason: "failed",
    error: { message: "the model's answer has more than 5000 parts" },
  });
});

test.each([
  ["is empty", {}],
  ["is nothing but space", { text: " \n" }],
  ["ends with an error", { text: "I was", finishReason: "error" }],
] as const)("a model whose answer %s is asked again", async (_what, said) => {
  const { agent, requests, events } = await openTestAgent([said, said, { text: "here" }]);
  expect(await agent.run("go")).toMatchObject({ reason: "done", text: "here", steps: 1 });
  expect(requests[2]!.prompt).toEqual(requests[0]!.prompt);
  expect((await events()).filter(({ type }) => type === "model-retry")).toHaveLength(2);
});

test("a model that never says anything is told of, and the next message works", async () => {
  const { agent } = await openTestAgent((_request, step) => (step <= 3 ? {} : { text: "here" }), {
    maxRetries: 2,
  });
  expect(await agent.run("go")).toMatchObject({
    reason: "failed",
    error: { message: "the model's answer was empty" },
  });
  expect(await agent.run("well?")).toMatchObject({ reason: "done", text: "here" });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, "7", null, undefined])(
  "a malformed count of tokens, such as %s, spends nothing",
  async (count) => {
    const step = calling(
      "echo",
      { text: "x" },
      { usage: { inputTokens: count, outputTokens: count } as never },
    );
    const { agent } = await openTestAgent([step, { text: "done" }], {
      runtime: { tools: [echo] },
      budget: { tokens: 10 },
    });
    expect(await agent.run("go")).toMatchObject({
      reason: "done",
      usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
    });
  },
);

test("an answer that comes after the agent was interrupted does no harm, whatever it is", async () => {
  const late = Promise.withResolvers<{ stream: ReadableStream<LanguageModelV4StreamPart> }>();
  const asked = Promise.withResolvers<void>();
  const model: LanguageModelV4 = {
    ...scriptedModel([]),
    doStream() {
      asked.resolve();
      return late.promise;
    },
  };
  const { runtime } = await openTestSession();
  const agent = runtime.agent({ model });
  const running = agent.run("go");
  await asked.promise;
  agent.interrupt();
  expect(await running).toMatchObject({ reason: "interrupted" });
  // A rejection that nobody handles would fail the run of the tests.
  late.resolve({ stream: undefined as never });
});

test.each([
  ["null", null],
  ["undefined", undefined],
  ["a text", "text"],
  ["a piece of nothing", { type: "text-delta", id: "1" }],
  ["a piece that is a number", { type: "text-delta", id: "1", delta: 5 }],
  ["a piece of no input", { type: "tool-input-delta", id: "1", delta: null }],
  ["an input of no tool", { type: "tool-input-start", id: "1" }],
  ["a call of nothing", { type: "tool-call" }],
  ["a call without an id", { type: "tool-call", toolName: "echo", input: "{}" }],
  ["a call with numbers", { type: "tool-call", toolCallId: 5, toolName: 7, input: { text: "x" } }],
  ["a deep call", { type: "tool-call", toolCallId: "a", toolName: "echo", input: deepInput(10_000) }],
  ["a very deep call", { type: "tool-call", toolCallId: "a", toolName: "echo", input: deepInput(200_000) }],
])("%s in the stream does no harm", async (_what, part) => {
  const { runtime } = await openTestSession({ tools: [echo] });
  const prompts: unknown[] = [];
  const model: LanguageModelV4 = {
    ...scriptedModel([]),
    async doStream({ prompt }) {
      prompts.push(structuredClone(prompt));
      const parts = prompts.length === 1 ? [part, hello, finish] : [hello, finish];
      return { stream: ReadableStream.from(parts as LanguageModelV4StreamPart[]) };
    },
  };
  const agent = runtime.agent({ model, maxRetries: 0 });
  expect(await agent.run("go")).toMatchObject({ reason: "done", text: "hello" });
  for (const prompt of prompts) expectWords(prompt);
});

function deepInput(depth: number): string {
  return `{"text": "x", "deep": ${"[".repeat(depth)}${"]".repeat(depth)}}`;
}

/** Ids and names are there, and are texts. */
function expectWords(prompt: unknown): void {
  for (const { content } of prompt as { content: string | Record<string, unknown>[] }[]) {
    for (const part of typeof content === "string" ? [] : content) {
      if (part.type === "text") expect(part.text).toMatch(/^(?:go|hello)$/);
      if (part.type !== "tool-call" && part.type !== "tool-result") continue;
      expect(part.toolCallId).toMatch(/^[A-Za-z0-9_]+$/);
      expect(part.toolName).toMatch(/^[A-Za-z0-9_]+$/);
    }
  }
}

const lone = "half \ud83d of it";
const whole = "half \ufffd of it";

test("halves of characters become whole ones before any provider refuses them, now and later", async () => {
  const { workspace, store } = await createPlace();
  const options = { workspace, store, tools: [echo], permissions: { mode: "auto" } } as const;
  const live = recordedModel([
    {
      reasoning: lone,
      text: lone,
      calls: [{ name: "echo", input: `{"text": "half \\ud83d of it", "\\ud83d": 1}`, id: "\ud83d" }],
    },
    { text: "ok" },
  ]);
  const first = await openRuntime(options);
  await first.agent({ model: live.model, session: { id: "talk" } }).run(lone);
  await first.close();
  const later = recordedModel([{ text: "ok" }]);
  const second = await openRuntime(options);
  await second.agent({ model: later.model, session: { id: "talk" } }).run("on");
  await second.close();
  const [{ prompt: again }, { prompt }] = [later.requests[0]!, live.requests[1]!];
  for (const each of [prompt, again]) {
    expect(JSON.stringify(each)).not.toMatch(/(?<!\\)\\ud[89a-f]/);
    expect(each[1]).toMatchObject({ content: [{ text: whole }] });
  }
  expect(JSON.stringify(again.slice(0, prompt.length))).toBe(JSON.stringify(prompt));
});

test.each(["run a tool", "écho", "a".repeat(200), "", "functions.echo", "x\u0000y", "<|call|>"])(
  "a call of a tool that no provider takes the name of, %j, is answered and goes back under one it takes",
  async (name) => {
    const { agent, requests } = await openTestAgent([calling(name, { text: "x" }), { text: "done" }], {
      runtime: { tools: [echo] },
    });
    expect(await agent.run("go")).toMatchObject({ reason: "done" });
    const [, , said, answer] = requests[1]!.prompt;
    const [call, result] = [said!.content[0], answer!.content[0]] as { toolName: string }[];
    expect(call!.toolName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(result!.toolName).toBe(call!.toolName);
    expect(answersIn(requests[1]!)).toMatchObject([{ type: "error-text" }]);
  },
);

test.each(["", "a b", "x".repeat(100), "\u0000", "läuft"])(
  "a call's id that not every provider takes, %j, becomes one that they do",
  async (id) => {
    const step = { calls: [{ name: "echo", input: { text: "x" }, id }] };
    const { agent, requests } = await openTestAgent([step, { text: "done" }], { runtime: { tools: [echo] } });
    await agent.run("go");
    const [call] = requests[1]!.prompt[2]!.content as { toolCallId: string }[];
    expect(call!.toolCallId).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  },
);

test("an agent that was interrupted in the middle of its words goes on without a message", async () => {
  const { runtime, session } = await openTestSession();
  const stalling = runtime.agent({ model: hangingAfter({ ...hello, delta: "hello there " }), session });
  const running = stalling.run("go");
  for await (const { type } of session.events()) if (type === "text-delta") break;
  stalling.interrupt();
  expect(await running).toMatchObject({ reason: "interrupted", text: "hello there " });
  const { model, requests } = recordedModel([{ text: "hello again" }]);
  const agent = runtime.agent({ model, session });
  expect(await agent.run()).toMatchObject({ reason: "done", text: "hello again" });
  expect(requests[0]!.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  await expect(agent.run()).rejects.toThrow("nothing to continue");
});

test("an answer that was cut off goes on without a message", async () => {
  const { agent, requests } = await openTestAgent([
    { text: "once upon a", finishReason: "length" },
    { text: " time" },
  ]);
  expect(await agent.run("tell a story")).toMatchObject({ reason: "cut-off" });
  expect(await agent.run()).toMatchObject({ reason: "done", text: " time" });
  expect(requests[1]!.prompt.at(-1)!.role).toBe("user");
});
