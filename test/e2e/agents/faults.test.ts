import { expect, test } from "vitest";
import type { LoggedEvent } from "../../../src/index.ts";
import { serveModel } from "../../support/model-server/serve-model.ts";
import type { ServedStep } from "../../support/model-server/start-model-server.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act } from "../../support/sample-tools.ts";

/** How each vendor tells of an error in the middle of a stream. */
const wires = {
  "anthropic/claude-test": (error: object) =>
    `event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`,
  "openai/gpt-test": (error: object) =>
    `event: error\ndata: ${JSON.stringify({ sequence_number: 3, error, ...error, type: "error" })}\n\n`,
  "openai-compatible/any-test": (error: object) => `data: ${JSON.stringify({ error })}\n\n`,
};

type Name = keyof typeof wires;

const answer: ServedStep = { text: "Let me act.", calls: [{ name: "act" }] };
const overloaded = { type: "overloaded_error", code: "server_error", message: "Overloaded", param: null };
const refused = { type: "invalid_request_error", code: "invalid", message: "No such thing", param: null };

const passing: Record<string, (name: Name) => ServedStep> = {
  "an overload that is told in the stream": (name) => ({
    ...answer,
    interject: { at: "input", lines: wires[name](overloaded) },
  }),
  "an event that is no JSON": () => ({ ...answer, interject: { at: "input", lines: "data: {oh no\n\n" } }),
  "an event that is another program's": () => ({
    ...answer,
    interject: { at: "text", lines: "data: <html>Bad gateway</html>\n\n" },
  }),
  "an answer of nothing": () => ({}),
  "a rate limit": () => ({ status: 429, headers: { "retry-after": "0" }, message: "slow down" }),
  "a server that is down": () => ({ status: 503, message: "down" }),
  "a stream that is cut in its words": () => ({ ...answer, breakOffAt: "text" }),
  "a stream that is cut in the input of a call": () => ({ ...answer, breakOffAt: "input" }),
  "a stream that ends before its last word": () => ({ ...answer, endAt: "finish" }),
};

const names = Object.keys(wires) as Name[];
const cases = names.flatMap((name) => Object.keys(passing).map((fault) => [name, fault] as const));

async function openServed(name: Name, script: (count: number) => ServedStep) {
  const { model, requests } = await serveModel(name, (_request, count) => script(count));
  const { runtime, session } = await openTestSession({ tools: [act], permissions: { mode: "auto" } });
  const agent = runtime.agent({ model, session, retryDelayMs: 1, maxRetries: 3 });
  const events = async () => {
    const found: LoggedEvent[] = [];
    for await (const event of session.events()) {
      found.push(event);
      if (event.type === "agent-end") break;
    }
    return found;
  };
  return { agent, runtime, requests, events };
}

test.each(cases)("%s is asked again after %s, and a call runs once", async (name, fault) => {
  const { agent, runtime, requests, events } = await openServed(name, (count) => {
    if (count <= 2) return passing[fault]!(name);
    return count === 3 ? answer : { text: "done" };
  });
  expect(await agent.run("go")).toMatchObject({ reason: "done", text: "done", steps: 2 });
  expect(requests).toHaveLength(4);
  expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
  expect(await runtime.receipts()).toMatchObject([{ tool: "act", status: "done" }]);
  expect((await events()).filter(({ type }) => type === "model-retry")).toHaveLength(2);
});

test.each(names)("%s is not asked again after a refusal that is told in the stream", async (name) => {
  const { agent, runtime, requests } = await openServed(name, (count) =>
    count === 1 ? { ...answer, interject: { at: "input", lines: wires[name](refused) } } : { text: "here" },
  );
  expect(await agent.run("go")).toMatchObject({ reason: "failed", error: { message: /No such thing/ } });
  expect(requests).toHaveLength(1);
  expect(await runtime.receipts()).toEqual([]);
  expect(await agent.run("well?")).toMatchObject({ reason: "done", text: "here" });
});

test.each(names)(
  "%s tells of an answer that was cut off, and a call that was cut off never runs",
  async (name) => {
    const { agent, runtime } = await openServed(name, (count) => {
      if (count === 1) return { text: "once upon a", finishReason: "length" };
      if (count > 2) return { text: "done" };
      return { ...answer, calls: [{ name: "act", input: '{"half": ' }], finishReason: "length" };
    });
    expect(await agent.run("tell me")).toMatchObject({ reason: "cut-off", text: "once upon a" });
    expect(await agent.run("go on")).toMatchObject({ reason: "done" });
    expect(await runtime.receipts()).toMatchObject([{ status: "failed", code: "invalid-input" }]);
  },
);

test.each(["anthropic/claude-test", "openai-compatible/any-test"] as const)(
  "%s tells of an answer that was refused",
  async (name) => {
    const { agent } = await openServed(name, () => ({ text: "I may not", finishReason: "content-filter" }));
    expect(await agent.run("go")).toMatchObject({ reason: "refused", text: "I may not" });
  },
);
