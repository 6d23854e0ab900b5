import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { defineTool } from "../../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";

import { stopClock } from "../../../support/stop-clock.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, look", ...input });

test("the time that a sub-agent's tools take counts once in the budget, and the time that its model takes does not", async () => {
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

test("the time limit of a message includes the time of the sub-agents that were spawned for it", async () => {
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

test("the call limit of a message includes the calls of the sub-agents that were spawned for it, and a call beyond it never runs", async () => {
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

test("the budget of tokens and money counts the whole tree of agents, and stays used when the session is opened again", async () => {
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

/** A model that says how many tokens each of its steps has taken. */
function counted(given: ReturnType<typeof familyModel>["model"], [input, output]: readonly [number, number]) {
  const usage = { inputTokens: { total: input }, outputTokens: { total: output } };
  return {
    ...given,
    doStream: async (options: Parameters<typeof given.doStream>[0]) => {
      const { stream, ...rest } = await given.doStream(options);
      const transform = new TransformStream({
        transform: (part, out) => out.enqueue(part.type === "finish" ? { ...part, usage } : part),
      });
      return { ...rest, stream: stream.pipeThrough(transform) };
    },
  } as typeof given;
}

test("token figures include those of sub-agents and of theirs", async () => {
  const { model } = familyModel({
    GRANDCHILD: [calling("TaskList"), { text: "Deep." }],
    CHILD: [calling("Agent", { prompt: "GRANDCHILD, look" }), { text: "Done." }],
    PARENT: [spawnAgent(), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({ agents: { maxDepth: 3 } });
  const result = await runtime.agent({ model: counted(model, [100, 10]), session }).run("PARENT, go");
  expect(result).toMatchObject({ reason: "done", steps: 2 });
  expect(result.usage).toMatchObject({ inputTokens: 600, outputTokens: 60 });
});

test("an agent that goes on with a message has the rest of its budget, also in another runtime, and the next message has a new one", async () => {
  const store = `sqlite:${join(await temporaryFolder(), "store.sqlite")}`;
  const workspace = await temporaryFolder();
  const open = () => openTestSession({ store, workspace }, { id: "work" });
  const { model } = familyModel({
    PARENT: [
      calling("TaskList"),
      calling("TaskList"),
      calling("TaskList"),
      calling("TaskList"),
      { text: "." },
    ],
  });
  const stops = { stopWhen: ({ steps }: { steps: number }) => steps >= 2, budget: { calls: 3 } };
  const first = await open();
  const agent = first.runtime.agent({ model, session: first.session, ...stops });
  expect((await agent.run("PARENT, go")).reason).toBe("stop-condition");
  await first.runtime.close();

  const second = await open();
  const again = second.runtime.agent({ model, session: second.session, ...stops });
  expect((await again.run()).reason).toBe("budget");
  const events = [];
  for await (const event of second.session.events({ signal: AbortSignal.abort() }))
    if (event.type === "budget-warn") events.push(event);
  expect(events).toMatchObject([{ of: "run", what: "calls", limit: 3, used: 3 }]);
  expect((await again.run("PARENT, once more")).reason).toBe("done");
});

test("tokens that one agent may need for its answer are reserved from all others of the tree meanwhile", async () => {
  const [childAsks, parentAsks] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = defineTool({
    name: "hold",
    description: "Waits for the other agent.",
    params: {},
    traits: { readOnly: true },
    run: () => childAsks.promise.then(() => "done"),
  });
  const { model, requests } = familyModel({
    CHILD: [
      async () => {
        childAsks.resolve();
        await parentAsks.promise;
        return { text: "Done." };
      },
    ],
    PARENT: [
      spawnAgent({ mode: "background" }),
      calling("hold"),
      () => {
        parentAsks.resolve();
        return { text: "Well." };
      },
      { text: "It is done." },
    ],
  });
  const { runtime, session } = await openTestSession({ tools: [hold], budget: { tokens: 30_000 } });
  const agent = runtime.agent({ model: counted(model, [100, 20]), session, maxOutputTokens: 20_000 });
  expect((await agent.run("PARENT, go")).reason).toBe("done");
  const rooms = requests.PARENT!.map(({ maxOutputTokens = 0 }) => maxOutputTokens);
  expect([rooms[0], rooms[3]]).toEqual([20_000, 20_000]);
  expect(rooms[2]).toBeLessThan(10_000);
  expect(session.budget.used.tokens).toBe(600);
});
