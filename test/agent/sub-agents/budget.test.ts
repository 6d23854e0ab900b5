import { expect, test, vi } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { stopClock } from "../../support/stop-clock.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, look", ...input });

test("the time that its tools take is paid for once, and the time its model takes is not", async () => {
  const slow = defineTool({
    name: "slow",
    description: "Takes its time.",
    params: {},
    traits: { readOnly: true },
    async run() {
      await vi.advanceTimersByTimeAsync(1000);
      return "done";
    },
  });
  const { model } = familyModel({
    CHILD: [
      async () => {
        await vi.advanceTimersByTimeAsync(30_000);
        return calling("slow");
      },
      { text: "Done." },
    ],
    PARENT: [spawnAgent(), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({ tools: [slow] });
  stopClock();
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(session.agents.list()).toMatchObject([{ status: "done" }]);
  expect(session.budget.used.wallTimeMs).toBe(1000);
});

test("the time of a message is the time of those spawned for it, too", async () => {
  const steps = Array.from({ length: 20 }, () => async () => {
    await vi.advanceTimersByTimeAsync(200);
    return calling("TaskList");
  });
  const { model, requests } = familyModel({ CHILD: steps, PARENT: [spawnAgent(), { text: "never said" }] });
  const { runtime, session } = await openTestSession({ agents: { maxSteps: 1000 } });
  stopClock();
  const result = await runtime.agent({ model, session, budget: { timeMs: 3000 } }).run("PARENT, go");
  expect(result).toMatchObject({ reason: "budget", steps: 1 });
  expect(session.agents.list()).toMatchObject([{ report: { reason: "budget" } }]);
  expect(requests.CHILD).toHaveLength(15);
});

test("the calls of a message are the calls of those spawned for it, too, and a call too many never runs", async () => {
  let runs = 0;
  const count = defineTool({
    name: "count",
    description: "Counts.",
    params: {},
    traits: { readOnly: true },
    run: () => {
      runs += 1;
      return runs;
    },
  });
  const { model } = familyModel({
    CHILD: [calling("count"), calling("count"), calling("count"), { text: "never said" }],
    PARENT: [spawnAgent(), calling("count"), { text: "never said" }],
  });
  const { runtime, session } = await openTestSession({ tools: [count] });
  const result = await runtime.agent({ model, session, budget: { calls: 3 } }).run("PARENT, go");
  expect(session.agents.list()).toMatchObject([{ report: { reason: "budget" } }]);
  expect(result).toMatchObject({ reason: "budget" });
  expect(runs).toBe(2);
});

test("tokens and money are those of the whole tree, and none are left again when the session is opened again", async () => {
  const usage = { inputTokens: { total: 100 }, outputTokens: { total: 50 } };
  const { model, requests } = familyModel({
    CHILD: [calling("TaskList"), calling("TaskList"), calling("TaskList"), { text: "never said" }],
    PARENT: [spawnAgent(), { text: "never said" }],
  });
  const counting = {
    ...model,
    doStream: async (options: Parameters<typeof model.doStream>[0]) => {
      const { stream, ...rest } = await model.doStream(options);
      const counted = new TransformStream({
        transform: (part, out) => out.enqueue(part.type === "finish" ? { ...part, usage } : part),
      });
      return { ...rest, stream: stream.pipeThrough(counted) };
    },
  } as typeof model;
  const name = `${model.provider.split(".")[0]}/${model.modelId}`;
  const prices = { [name]: { input: 1_000_000, output: 2_000_000 } };
  const { runtime, session } = await openTestSession({ prices, budget: { tokens: 450, cost: 700 } });
  const result = await runtime.agent({ model: counting, session }).run("PARENT, go");
  expect(result.reason).toBe("budget");
  expect(requests.CHILD).toHaveLength(2);
  expect(session.budget.used).toMatchObject({ tokens: 450, cost: 600 });
  await session.close();
  const again = await runtime.openSession({ id: session.id });
  expect(again.budget.used).toMatchObject({ tokens: 450, cost: 600 });
  const priceless = await openTestSession({ budget: { cost: 1 } });
  const failed = await priceless.runtime.agent({ model, session: priceless.session }).run("PARENT, go");
  expect(failed).toMatchObject({
    reason: "failed",
    error: { message: expect.stringContaining(`no price for ${name}`) },
  });
});
