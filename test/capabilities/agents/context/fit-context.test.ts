import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { ScriptedStep } from "../../../../src/capabilities/agents/index.ts";
import { defineTool, openRuntime } from "../../../../src/index.ts";
import { createPlace } from "../../../e2e/open-temporary-runtime.ts";
import { answersIn, calling, openTestAgent, recordedModel } from "../open-agent.ts";

const long = defineTool({
  name: "long",
  description: "Says much.",
  params: { number: { type: "integer" }, size: { type: "integer", default: 4000 } },
  traits: { readOnly: true, concurrencySafe: true },
  run: ({ number, size }) => `output ${number} `.padEnd(size, "x"),
});

function callLong(step: number, steps: number): ScriptedStep {
  return step > steps ? { text: "done" } : calling("long", { number: step });
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

test("old outputs are left out before the window is full, and can be read again from disk", async () => {
  const contextTokens = 20_000;
  const { agent, requests, events } = await openTestAgent((_request, step) => callLong(step, 40), {
    runtime: { tools: [long] },
    contextTokens,
  });
  expect(await agent.run("go")).toMatchObject({ reason: "done", steps: 41 });
  const sizes = requests.map(({ prompt, tools }) => sizeOf(prompt) + sizeOf(tools));
  expect(Math.max(...sizes)).toBeLessThan(contextTokens * 4);
  const answers = answersIn(requests.at(-1)!).map((output) =>
    "value" in output ? String(output.value) : "",
  );
  expect(answers).toHaveLength(40);
  expect(answers.at(-1)).toMatch(/^output 40 x/);
  const [, path] = /the full output is in (\S+)\.\]$/.exec(answers[0]!) ?? [];
  expect(await readFile(path!, "utf8")).toBe("output 1 ".padEnd(4000, "x"));
  const trims = (await events()).filter(({ type }) => type === "context-trim");
  // Seldom, since each time the provider has to read everything anew.
  expect(trims.length).toBeLessThan(8);
});

test("prompts begin with the one before them, except where old outputs are left out", async () => {
  const { agent, requests } = await openTestAgent((_request, step) => callLong(step, 30), {
    runtime: { tools: [long] },
    contextTokens: 20_000,
  });
  await agent.run("go");
  const breaks = requests.slice(1).filter(({ prompt }, index) => {
    const before = JSON.stringify(requests[index]!.prompt).slice(0, -1);
    return !JSON.stringify(prompt).startsWith(before);
  });
  expect(breaks.length).toBeGreaterThan(0);
  expect(breaks.length).toBeLessThan(6);
});

test("an agent that is interrupted while room is made goes on", async () => {
  const interrupted = Promise.withResolvers<void>();
  const { agent, requests, session } = await openTestAgent(
    async (_request, step) => {
      // However late this process hears of the room that was made, there is work left.
      if (step === 60) await interrupted.promise;
      return callLong(step, 90);
    },
    { runtime: { tools: [long] }, contextTokens: 20_000, maxSteps: 200 },
  );
  const running = agent.run("go");
  for await (const { type } of session.events()) if (type === "context-trim") break;
  agent.interrupt();
  interrupted.resolve();
  expect(await running).toMatchObject({ reason: "interrupted" });
  expect(await agent.run()).toMatchObject({ reason: "done" });
  expectPaired(requests.at(-1)!.prompt);
});

test("old steps go as a whole where their outputs are not long", async () => {
  const { agent, requests } = await openTestAgent(
    (_request, step) => ({ ...callLong(step, 60), text: `thought ${step} `.padEnd(2000, "y") }),
    { runtime: { tools: [long] }, contextTokens: 12_000 },
  );
  expect(await agent.run("the task itself")).toMatchObject({ reason: "done" });
  const { prompt } = requests.at(-1)!;
  expect(sizeOf(prompt)).toBeLessThan(12_000 * 4);
  expect(prompt[1]).toMatchObject({
    role: "user",
    content: [{ text: "the task itself" }, { text: /left out/ }],
  });
  expectPaired(prompt);
});

test("one step with more output than fits keeps as much as fits", async () => {
  const many = {
    calls: Array.from({ length: 12 }, (_, number) => ({ name: "long", input: { number, size: 20_000 } })),
  };
  const { agent, requests } = await openTestAgent([many, { text: "done" }], {
    runtime: { tools: [long] },
    contextTokens: 30_000,
  });
  expect(await agent.run("go")).toMatchObject({ reason: "done" });
  expect(sizeOf(requests[1]!.prompt)).toBeLessThan(30_000 * 4);
  expectPaired(requests[1]!.prompt);
});

test("room is left for as long an answer as was asked for", async () => {
  const { agent, requests } = await openTestAgent((_request, step) => callLong(step, 30), {
    runtime: { tools: [long] },
    contextTokens: 20_000,
    maxOutputTokens: 10_000,
  });
  expect(await agent.run("go")).toMatchObject({ reason: "done" });
  const sizes = requests.map(({ prompt, tools }) => sizeOf(prompt) + sizeOf(tools));
  expect(Math.max(...sizes)).toBeLessThan(10_000 * 4 * 1.1);
});

test("the provider's count corrects the estimate", async () => {
  const { agent, requests } = await openTestAgent(
    (request, step) => ({
      ...callLong(step, 20),
      usage: { inputTokens: sizeOf(request.prompt) + sizeOf(request.tools), outputTokens: 1 },
    }),
    { runtime: { tools: [long] }, contextTokens: 60_000 },
  );
  await agent.run("go");
  const sizes = requests.map(({ prompt, tools }) => sizeOf(prompt) + sizeOf(tools));
  expect(Math.max(...sizes)).toBeLessThan(60_000);
});

test("a prompt that the provider finds too long is made shorter and asked again", async () => {
  const limit = 30_000;
  const { agent } = await openTestAgent(
    (request, step) => {
      if (sizeOf(request.prompt) > limit)
        return {
          error: Object.assign(new Error("prompt is too long: 9 tokens > 8 maximum"), { statusCode: 400 }),
        };
      return step > 40 ? { text: "done" } : calling("long", { number: step });
    },
    { runtime: { tools: [long] } },
  );
  expect(await agent.run("go")).toMatchObject({ reason: "done" });
});

test("a prompt that cannot be made shorter fails with the provider's words", async () => {
  const error = Object.assign(new Error("prompt is too long"), { statusCode: 400 });
  const { agent } = await openTestAgent(() => ({ error }));
  expect(await agent.run("go")).toMatchObject({
    reason: "failed",
    error: { message: "prompt is too long (HTTP 400)" },
  });
});

/** As a provider would that takes so many characters. */
function refuseOver(limit: number, script: (step: number) => ScriptedStep) {
  return (request: { prompt: unknown }, step: number): ScriptedStep => {
    if (sizeOf(request.prompt) <= limit) return script(step);
    return { error: Object.assign(new Error("prompt is too long"), { statusCode: 400 }) };
  };
}

test("a message that is longer than the window is cut, and the whole of it can be read from disk", async () => {
  const { workspace, store } = await createPlace();
  const given = { session: { id: "talk" }, contextTokens: 20_000 };
  const live = recordedModel(refuseOver(80_000, () => ({ text: "I see" })));
  const message = `begin ${"m".repeat(500_000)} end`;
  const first = await openRuntime({ workspace, store });
  const agent = first.agent({ ...given, model: live.model });
  await agent.run("first of all");
  expect(await agent.run(message)).toMatchObject({ reason: "done" });
  expect(await agent.run("and?")).toMatchObject({ reason: "done" });
  await first.close();
  const { prompt } = live.requests.at(-1)!;
  expect(prompt[1]).toMatchObject({ content: [{ text: "first of all" }] });
  const [part] = prompt[3]!.content;
  const text = typeof part === "object" && part.type === "text" ? part.text : "";
  expect(text).toMatch(/^begin m+.*the full message is in (\S+)\].*m+ end$/s);
  const [, path] = /the full message is in (\S+)\]/.exec(text) ?? [];
  expect(await readFile(path!, "utf8")).toBe(message);

  const second = await openRuntime({ workspace, store });
  const later = recordedModel([{ text: "ok" }]);
  await second.agent({ ...given, model: later.model }).run("on");
  await second.close();
  const before = JSON.stringify(prompt).slice(0, -1);
  expect(JSON.stringify(later.requests[0]!.prompt).startsWith(before)).toBe(true);
});

test("a message that was shown whole is cut once the provider finds it too long", async () => {
  const { agent, requests } = await openTestAgent((request, step) => {
    if (step === 1) return { text: "I see" };
    if (sizeOf(request.prompt) <= 80_000) return { text: "I still see" };
    return { error: Object.assign(new Error("prompt is too long"), { statusCode: 400 }) };
  });
  expect(await agent.run(`begin ${"m".repeat(90_000)} end`)).toMatchObject({ text: "I see" });
  expect(await agent.run("and?")).toMatchObject({ reason: "done", text: "I still see" });
  expect(JSON.stringify(requests.at(-1)!.prompt[1])).toContain("the full message is in ");
});

test("many messages that are too long together leave the first and the last", async () => {
  const { agent, requests } = await openTestAgent(
    refuseOver(80_000, () => ({ text: "I see" })),
    { contextTokens: 20_000 },
  );
  for (let number = 1; number <= 12; number += 1)
    expect(await agent.run(`message ${number} `.padEnd(15_000, "m"))).toMatchObject({ reason: "done" });
  const { prompt } = requests.at(-1)!;
  expect(JSON.stringify(prompt[1])).toContain("message 1 ");
  expect(JSON.stringify(prompt.at(-1))).toContain("message 12 ");
});

test("where instructions take most of the window, old messages make room", async () => {
  const { agent, requests } = await openTestAgent(() => ({ text: "I see" }), {
    system: "s".repeat(50_000),
    contextTokens: 20_000,
    tools: [],
  });
  for (let number = 1; number <= 8; number += 1) await agent.run(`message ${number} `.padEnd(3000, "m"));
  expect(Math.max(...requests.map(({ prompt }) => sizeOf(prompt)))).toBeLessThan(20_000 * 4 * 0.85);
  const { prompt } = requests.at(-1)!;
  expect(JSON.stringify(prompt[1])).toContain("message 1 ");
  expect(JSON.stringify(prompt.at(-1))).toContain("message 8 ");
});

test("calls whose input alone is too long do not end the conversation, nor cost it its messages", async () => {
  const { agent, requests } = await openTestAgent(
    refuseOver(80_000, (step) =>
      step < 4 || step > 5
        ? { text: "done" }
        : calling("long", { number: step, size: 10, more: "i".repeat(50_000) }),
    ),
    { runtime: { tools: [long] }, contextTokens: 20_000 },
  );
  for (const message of ["first", "second", "third", "fourth"])
    expect(await agent.run(message)).toMatchObject({ reason: "done" });
  const { prompt } = requests.at(-1)!;
  expectPaired(prompt);
  expect(JSON.stringify(prompt)).toMatch(/"first".*"second".*"third".*"fourth"/);
  expect(await agent.run("go on")).toMatchObject({ reason: "done" });
});

test("content that was left out stays left out when the conversation is opened again", async () => {
  const { workspace, store } = await createPlace();
  const options = { workspace, store, tools: [long], permissions: { mode: "auto" } } as const;
  const first = await openRuntime(options);
  const live = recordedModel((_request, step) => ({ ...callLong(step, 30), text: "z".repeat(900) }));
  const given = { session: { id: "talk" }, contextTokens: 16_000 };
  await first.agent({ ...given, model: live.model }).run("go");
  await first.close();
  const second = await openRuntime(options);
  const later = recordedModel([{ text: "ok" }]);
  await second.agent({ ...given, model: later.model }).run("on");
  await second.close();
  const before = JSON.stringify(live.requests.at(-1)!.prompt).slice(0, -1);
  expect(JSON.stringify(later.requests[0]!.prompt).startsWith(before)).toBe(true);
});

type Prompt = Parameters<typeof answersIn>[0]["prompt"];

/** Every call is answered by the next message, and nothing is answered that was not called. */
function expectPaired(prompt: Prompt): void {
  for (const [place, message] of prompt.entries()) {
    if (message.role !== "assistant") continue;
    const called = message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
    const next = prompt[place + 1];
    const answered =
      next?.role === "tool" ? next.content.map((part) => ("toolCallId" in part ? part.toolCallId : "")) : [];
    expect(answered).toEqual(called);
  }
}
