import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { fc } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act, echo } from "../../support/sample-tools.ts";
import { calling, openTestAgent } from "./open-agent.ts";

const finish = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: { inputTokens: {}, outputTokens: {} },
};

const ids = fc.constantFrom("1", "2", "", "call_0");
const texts = fc.constantFrom("", " ", "hello", "\ud800", "{", '{"text":"x"}', "\u0000");
const toolNames = fc.constantFrom("echo", "act", "nothing", "", "__proto__", "a b");
const parts = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      "text-start",
      "text-delta",
      "text-end",
      "reasoning-start",
      "reasoning-delta",
      "reasoning-end",
      "tool-input-delta",
      "tool-input-end",
    ),
    id: ids,
    delta: texts,
  }),
  fc.record({ type: fc.constant("tool-input-start"), id: ids, toolName: toolNames }),
  fc.record({ type: fc.constant("tool-call"), toolCallId: ids, toolName: toolNames, input: texts }),
  fc.record({
    type: fc.constantFrom("something-new", "raw", "source", "file", "ping"),
    value: fc.anything(),
  }),
  fc.constant({ type: "error", error: { type: "invalid_request_error", message: "no" } }),
  fc.constant(finish),
  fc.constantFrom({}, { type: null }),
);

function streaming(said: readonly object[]): LanguageModelV4 {
  const script = scriptedModel([{ text: "unused" }]);
  let asked = 0;
  return {
    ...script,
    async doStream() {
      asked += 1;
      const answer = asked === 1 ? said : [{ type: "text-delta", id: "1", delta: "ok" }, finish];
      return { stream: ReadableStream.from(answer as LanguageModelV4StreamPart[]) };
    },
  };
}

test("an agent ends, answers every call and takes the next message, whatever its model streams", async () => {
  const { runtime } = await openTestSession({ tools: [echo, act], permissions: { mode: "auto" } });
  const property = fc.asyncProperty(fc.array(parts, { maxLength: 12 }), async (said) => {
    const asked: unknown[][] = [];
    const model = streaming(said);
    const watched: LanguageModelV4 = {
      ...model,
      doStream(options) {
        asked.push(options.prompt);
        return model.doStream(options);
      },
    };
    const agent = runtime.agent({ model: watched, maxRetries: 1, retryDelayMs: 1 });
    await agent.run("go");
    expect(await agent.run("and now?")).toMatchObject({ reason: "done", text: "ok" });
    for (const prompt of asked) expectValid(prompt as Message[]);
    await (await agent.session()).close();
  });
  await fc.assert(property, { numRuns: 150 });
}, 60_000);

interface Message {
  readonly role: string;
  readonly content: string | readonly { type: string; text?: string; toolCallId?: string; input?: unknown }[];
}

/** What every vendor asks of a transcript. */
function expectValid(prompt: readonly Message[]): void {
  const seen = new Set<string>();
  for (const [place, { role, content }] of prompt.entries()) {
    expect(content.length).toBeGreaterThan(0);
    if (typeof content === "string" || role !== "assistant") continue;
    for (const part of content) if (part.type === "text") expect(part.text?.trim()).not.toBe("");
    const called = content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId!] : []));
    for (const part of content) if (part.type === "tool-call") expect(part.input).toBeTypeOf("object");
    const next = prompt[place + 1];
    const answered =
      next?.role === "tool" && typeof next.content !== "string"
        ? next.content.map(({ toolCallId }) => toolCallId)
        : [];
    expect(answered).toEqual(called);
    for (const id of called) {
      expect(id).not.toBe("");
      expect(seen.has(id)).toBe(false);
      seen.add(id);
    }
  }
}

test("a model that throws, rejects or never answers is told of", async () => {
  const model = scriptedModel([]);
  const { runtime } = await openTestSession();
  const broken = [
    { ...model, doStream: () => Promise.reject(new Error("no such thing")) },
    {
      ...model,
      doStream() {
        throw new Error("no such thing");
      },
    },
    { ...model, doStream: async () => ({ stream: undefined }) as never },
  ];
  for (const each of broken) {
    const result = await runtime.agent({ model: each, maxRetries: 0 }).run("go");
    expect(result).toMatchObject({ reason: "failed", error: { message: expect.any(String) } });
  }
  const deaf = { ...model, doStream: () => new Promise<never>(() => {}) };
  const silent = await runtime.agent({ model: deaf, maxRetries: 0, modelTimeoutMs: 50 }).run("go");
  expect(silent).toMatchObject({
    reason: "failed",
    error: { message: expect.stringContaining("the model sent nothing for") },
  });
});

test("a model that is lost in the middle of a call is asked again, and the call runs once", async () => {
  let asked = 0;
  const { agent, runtime } = await openTestAgent(
    () => {
      asked += 1;
      if (asked === 1) return { error: Object.assign(new Error("reset"), { code: "ECONNRESET" }) };
      return asked === 2 ? calling("act") : { text: "done" };
    },
    { runtime: { tools: [act] } },
  );
  expect(await agent.run("go")).toMatchObject({ reason: "done", steps: 2 });
  expect(await runtime.receipts()).toHaveLength(1);
});

test("a hundred agents work beside each other, each in its own conversation", async () => {
  const { runtime } = await openTestSession({ tools: [echo], permissions: { mode: "auto" } });
  const work = Array.from({ length: 100 }, async (_, number) => {
    const model = scriptedModel([
      calling("echo", { text: `${number}` }),
      calling("echo", { text: `${number}` }),
      { text: `agent ${number} is done` },
    ]);
    return runtime.agent({ model, name: `agent-${number}` }).run("go");
  });
  const results = await Promise.all(work);
  expect(results.map(({ text }) => text)).toEqual(results.map((_, number) => `agent ${number} is done`));
  expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(100);
  expect(await runtime.receipts({ limit: 1000 })).toHaveLength(200);
}, 60_000);
