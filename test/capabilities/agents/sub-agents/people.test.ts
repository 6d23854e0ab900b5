import { expect, test, vi } from "vitest";
import { defineTool, type LoggedEvent } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { stopClock } from "../../../support/stop-clock.ts";
import { answersIn, calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, look", ...input });

const asking = defineTool({
  name: "asking",
  description: "Asks the person.",
  params: {},
  traits: { readOnly: true },
  run: (_input, { ask }) => ask("Which one?"),
});
const writing = defineTool({
  name: "writing",
  description: "Needs to be approved.",
  params: {},
  permission: () => [{ action: "write" }],
  run: async () => "written",
});

const slowly = async <Answer>(answer: Answer): Promise<Answer> => {
  await vi.advanceTimersByTimeAsync(3000);
  return answer;
};

test.each([
  { who: "the runtime's", where: "runtime" },
  { who: "the agent's", where: "agent" },
] as const)(
  "the time in which $who person thinks is not the time of the call that waits for it",
  async ({ where }) => {
    stopClock();
    const people = { onApproval: () => slowly("allow" as const), onQuestion: () => slowly("the red one") };
    const { model, requests } = familyModel({
      CHILD: [calling("asking"), calling("writing"), { text: "Done." }],
      PARENT: [spawnAgent(), { text: "Well." }],
    });
    const { runtime, session } = await openTestSession({
      tools: [asking, writing],
      ...(where === "runtime" && people),
    });
    const agent = runtime.agent({ model, session, toolTimeoutMs: 2500, ...(where === "agent" && people) });
    await agent.run("PARENT, go");
    expect(answersIn(requests.CHILD![2]!)).toMatchObject([{ value: "the red one" }, { value: "written" }]);
    expect(session.agents.list()).toMatchObject([{ status: "done" }]);
  },
);

test.each(["sync", "background"])(
  "a sub-agent without a person to ask is denied what its parent would be denied, mode %s",
  async (mode) => {
    const { model, requests } = familyModel({
      CHILD: [calling("writing"), calling("asking"), { text: "Nobody is there." }],
      PARENT: [spawnAgent({ mode }), { text: "Hm." }, { text: "Well." }],
    });
    const { runtime, session } = await openTestSession({ tools: [asking, writing] });
    await runtime.agent({ model, session }).run("PARENT, go");
    const answers = JSON.stringify(answersIn(requests.CHILD![2]!));
    expect(answers).toContain("needs approval, but there is nobody to ask");
    expect(session.agents.list()).toMatchObject([{ status: "done" }]);
  },
);

test("a sub-agent in the background asks a person in its own name while its parent's model answers", async () => {
  const isDecided = Promise.withResolvers<void>();
  const asked: unknown[] = [];
  const { model, requests } = familyModel({
    CHILD: [calling("writing"), { text: "Written." }],
    PARENT: [
      spawnAgent({ mode: "background" }),
      async () => {
        await isDecided.promise;
        return { text: "I was thinking." };
      },
      { text: "Well." },
    ],
  });
  const { runtime, session } = await openTestSession({ tools: [writing] });
  await runtime
    .agent({
      model,
      session,
      onApproval: (request) => {
        asked.push(request);
        isDecided.resolve();
        return { decision: "deny", note: "not now" };
      },
    })
    .run("PARENT, go");
  const [child] = session.agents.list();
  expect(asked).toMatchObject([{ tool: "writing", sessionId: child!.sessionId }]);
  expect(JSON.stringify(answersIn(requests.CHILD![1]!))).toContain("not now");
});

test("a listener for questions to people hears those of sub-agents, however far down they are", async () => {
  const { model } = familyModel({
    GRANDCHILD: [calling("writing"), { text: "Written." }],
    CHILD: [calling("Agent", { prompt: "GRANDCHILD" }), { text: "It has written." }],
    PARENT: [spawnAgent(), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({
    tools: [writing],
    approvals: "queue",
    agents: { maxDepth: 2 },
  });
  const running = runtime.agent({ model, session }).run("PARENT, go");
  for await (const event of session.events({ channels: ["control"] })) {
    const asked = innermost(event);
    if (asked.type !== "approval-request") continue;
    session.approvals.decide(asked.approvalId, "allow");
    break;
  }
  expect(await running).toMatchObject({ reason: "done" });
});

function innermost(event: LoggedEvent): LoggedEvent {
  return event.type === "subagent-event" ? innermost(event.event) : event;
}

test("an answer of no and stop to a sub-agent ends its run and that of its parent", async () => {
  const { model, requests } = familyModel({
    CHILD: [calling("writing"), { text: "I go on." }],
    PARENT: [spawnAgent(), { text: "So do I." }],
  });
  const { runtime, session } = await openTestSession({
    tools: [writing],
    permissions: { mode: "ask" },
    onApproval: () => ({ decision: "deny", note: "not at all", stop: true }),
  });
  const agent = runtime.agent({ model, session });
  expect(await agent.run("PARENT, delegate")).toMatchObject({ reason: "interrupted" });
  expect([requests.CHILD, requests.PARENT].map((each) => each?.length)).toEqual([1, 1]);
  // Whoever runs it again has thought of something else to do.
  expect(await agent.run("PARENT, now go on")).toMatchObject({ reason: "done", text: "So do I." });
});
