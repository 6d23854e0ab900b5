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
