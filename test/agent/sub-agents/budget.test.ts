import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, look", ...input });

test("the time that its tools take is paid for once, and the time its model takes is not", async () => {
  let tookMs = 0;
  const slow = defineTool({
    name: "slow",
    description: "Takes its time.",
    params: {},
    traits: { readOnly: true },
    async run() {
      const startedMs = performance.now();
      await wait(1000);
      tookMs = performance.now() - startedMs;
      return "done";
    },
  });
  const { model } = familyModel({
    CHILD: [
      async () => {
        await wait(1000);
        return calling("slow");
      },
      { text: "Done." },
    ],
    PARENT: [spawnAgent(), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({ tools: [slow] });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(session.agents.list()).toMatchObject([{ status: "done" }]);
  expect(session.budget.used.wallTimeMs).toBeGreaterThanOrEqual(tookMs);
  expect(session.budget.used.wallTimeMs).toBeLessThan(tookMs + 900);
});

test("the time of a message is the time of those spawned for it, too", async () => {
  const steps = Array.from({ length: 1000 }, () => async () => {
    await wait(20);
    return calling("TaskList");
  });
  const { model } = familyModel({ CHILD: steps, PARENT: [spawnAgent(), { text: "never said" }] });
  const { runtime, session } = await openTestSession({ agents: { maxSteps: 1000 } });
  const result = await runtime.agent({ model, session, budget: { timeMs: 3000 } }).run("PARENT, go");
  expect(result).toMatchObject({ reason: "budget", steps: 1 });
  expect(session.agents.list()).toMatchObject([{ report: { reason: "budget" } }]);
});
