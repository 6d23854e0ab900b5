import { expect, test, vi } from "vitest";
import type { LoggedEvent } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { stopClock } from "../../../support/stop-clock.ts";
import { until } from "../../../support/until.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";
import { patientStep } from "./patient-step.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, look", mode: "background", ...input });

test("a message to an agent that waits for its sub-agent is read at once", async () => {
  const child = patientStep();
  const { model, requests } = familyModel({
    CHILD: [child.step],
    PARENT: [
      spawnAgent(),
      { text: "I wait." },
      () => {
        child.end();
        return { text: "I hear you." };
      },
      { text: "It has looked." },
    ],
  });
  const { runtime, session } = await openTestSession();
  const agent = runtime.agent({ model, session });
  const running = agent.run("PARENT, go");
  await seen(session, ({ type }) => type === "step-end", 2);
  await agent.send("and hurry");
  expect(await running).toMatchObject({ reason: "done", text: "It has looked.", steps: 4 });
  expect(JSON.stringify(requests.PARENT![2]!.prompt.at(-1))).toContain("and hurry");
});

test("the list of agents shows of a sub-agent at work the tool that it called last and the number of its calls", async () => {
  const child = patientStep();
  const { model } = familyModel({
    CHILD: [calling("TaskList"), calling("Glob", { pattern: "*" }), child.step],
    PARENT: [spawnAgent(), { text: "I wait." }, { text: "It has looked." }],
  });
  const { runtime, session } = await openTestSession();
  const running = runtime.agent({ model, session }).run("PARENT, go");
  await child.isAsked;
  await until(() => session.agents.list()[0]?.progress.calls === 2);
  expect(session.agents.list()).toMatchObject([
    { status: "in_progress", progress: { calls: 2, activity: "search_glob" } },
  ]);
  child.end();
  await running;
});

test("an agent that was interrupted while it waited for its sub-agent goes on without a message when there are news", async () => {
  const child = patientStep();
  const { model, requests } = familyModel({
    CHILD: [child.step],
    PARENT: [spawnAgent(), { text: "I wait." }, { text: "It has looked." }],
  });
  const { runtime, session } = await openTestSession();
  const agent = runtime.agent({ model, session });
  const running = agent.run("PARENT, go");
  await seen(session, ({ type }) => type === "step-end", 2);
  agent.interrupt();
  expect(await running).toMatchObject({ reason: "interrupted", text: "I wait." });
  const again = agent.run();
  child.end();
  expect(await again).toMatchObject({ reason: "done", text: "It has looked." });
  expect(JSON.stringify(requests.PARENT![2]!.prompt.at(-1))).toContain("I have looked.");
  await expect(agent.run()).rejects.toThrow("nothing to continue");
});

test("an agent's time limit ends it also while it waits for its sub-agent, whose end is told later", async () => {
  const child = patientStep();
  const { model, requests } = familyModel({
    CHILD: [child.step],
    PARENT: [spawnAgent(), { text: "I wait." }, { text: "Now I know." }],
  });
  const { runtime, session } = await openTestSession();
  stopClock();
  const running = runtime.agent({ model, session, budget: { timeMs: 5000 } }).run("PARENT, go");
  await Promise.all([child.isAsked, seen(session, ({ type }) => type === "step-end", 2)]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await running).toMatchObject({ reason: "budget" });
  child.end();
  await seen(session, ({ type }) => type === "subagent-end");
  await runtime.agent({ model, session }).run("PARENT, and now?");
  expect(JSON.stringify(requests.PARENT!.at(-1)!.prompt)).toContain("I have looked.");
});

test.each([
  {
    how: "used up its steps",
    options: { maxSteps: 1 },
    second: { text: "never said" },
    reason: "max-steps",
  },
  { how: "fails", options: { maxRetries: 0 }, second: { error: new Error("no credit") }, reason: "failed" },
  {
    how: "is stopped by a condition",
    options: { stopWhen: () => true },
    second: {},
    reason: "stop-condition",
  },
])(
  "a sub-agent whose parent $how goes on, and the next agent in the session is told of its end, once",
  async (given) => {
    const child = patientStep();
    const { model, requests } = familyModel({
      CHILD: [child.step],
      PARENT: [spawnAgent(), given.second],
    });
    const { runtime, session } = await openTestSession();
    const first = await runtime.agent({ model, session, ...given.options }).run("PARENT, go");
    expect(first).toMatchObject({ reason: given.reason });
    await child.isAsked;
    expect(session.agents.list()).toMatchObject([{ status: "in_progress" }]);
    child.end();
    await vi.waitUntil(() => session.agents.list()[0]!.status === "done", { timeout: 45_000 });
    // The conversation is found by its first message.
    const other = familyModel({ PARENT: [{ text: "I am told." }, { text: "I know." }] });
    const next = runtime.agent({ model: other.model, session });
    await next.run("What now?");
    await next.run("And now?");
    for (const { prompt } of other.requests.PARENT!)
      expect(JSON.stringify(prompt).split("I have looked.")).toHaveLength(2);
    expect(requests.CHILD).toHaveLength(1);
  },
);

/** Waits until so many events of the log are such. */
async function seen(
  session: { events(): AsyncIterable<LoggedEvent> },
  isMeant: (event: LoggedEvent) => boolean,
  times = 1,
): Promise<void> {
  let left = times;
  for await (const event of session.events()) {
    if (isMeant(event)) left -= 1;
    if (left === 0) return;
  }
}
