import { readdir } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import {
  type AgentRecord,
  agentRecords,
} from "../../../../src/capabilities/agents/sub-agents/agent-record.ts";
import { openSubAgents } from "../../../../src/capabilities/agents/sub-agents/sub-agents.ts";
import { defineTool, type Session } from "../../../../src/index.ts";
import { openKept } from "../../../../src/kernel/session/kept/kept.ts";
import { createSessionLog } from "../../../../src/kernel/session/session-log.ts";
import { isAliveIn, ownLifeIn } from "../../../../src/kernel/store/process-life.ts";
import { Deadline } from "../../../../src/shared/deadline.ts";
import { createRedactor } from "../../../../src/shared/secrets/redact.ts";
import { openShakyStore } from "../../../kernel/store/shaky-store.ts";
import { fuzzRuns } from "../../../support/fuzz.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { stopClock } from "../../../support/stop-clock.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";
import { patientStep } from "./patient-step.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, look", ...input });

test("a worktree that cannot be finished holds up neither opening nor closing, and is left for the next", async () => {
  const lost: AgentRecord = {
    id: "agent_1",
    sessionId: "session_2",
    title: "look",
    mode: "worktree",
    status: "in_progress",
    startedAt: "2026-01-01T00:00:00.000Z",
    // No process has this number.
    process: { pid: 2 ** 30, startedAt: "1" },
    worktree: {},
  };
  const kept: unknown[] = [];
  const salvaging = Promise.withResolvers<void>();
  const { store } = await openShakyStore();
  const subAgents = await openSubAgents({
    maker: {
      open: () => Promise.reject(new Error("must not open")),
      endLost: async () => {},
      salvage: (_lost, signal) => {
        salvaging.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      },
      tidy: async () => {},
    },
    log: createSessionLog(store, "session_1"),
    redactor: createRedactor(),
    records: {
      list: async () => new Map([["agent_1", lost]]),
      set: (_id, record) => kept.push(record),
    },
    maxRunning: 1,
    ownProcess: () => ownLifeIn(store),
    isAlive: (process) => isAliveIn(store, process),
  });
  await salvaging.promise;
  expect(subAgents.list()).toMatchObject([{ id: "agent_1", status: "in_progress" }]);
  await subAgents.close();
  expect(kept).toEqual([]);
});

/** A tool that never answers and does not look at its signal. */
function deafTool() {
  const isCalled = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "deaf",
    description: "Never answers.",
    params: {},
    traits: { readOnly: true },
    run() {
      isCalled.resolve();
      return new Promise<string>(() => {});
    },
  });
  return { tool, isCalled: isCalled.promise };
}

test("a sub-agent whose time is up has ended by the time its parent is told", async () => {
  const { tool, isCalled } = deafTool();
  const { model, requests } = familyModel({
    CHILD: [calling("deaf")],
    PARENT: [spawnAgent(), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({ tools: [tool] });
  stopClock();
  const running = runtime.agent({ model, session, toolTimeoutMs: 2000 }).run("PARENT, go");
  await isCalled;
  await vi.advanceTimersByTimeAsync(2000);
  await running;
  const [receipt] = await runtime.receipts({ sessionId: session.id });
  expect(receipt).toMatchObject({ tool: "agent_run", status: "timed-out" });
  expect(session.agents.list()).toMatchObject([{ status: "cancelled" }]);
  expect(JSON.stringify(requests.PARENT![1]!.prompt.at(-1))).toContain("2000 ms");
  await expectOpen(runtime, [session.id]);
});

test("a sub-agent whose model never answers fails in its time, and its parent goes on", async () => {
  const { model, requests } = familyModel({
    CHILD: [
      async () => {
        await vi.advanceTimersByTimeAsync(2000);
        return new Promise<never>(() => {});
      },
    ],
    PARENT: [spawnAgent(), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession();
  stopClock();
  const agent = runtime.agent({ model, session, modelTimeoutMs: 2000, maxRetries: 0 });
  expect(await agent.run("PARENT, go")).toMatchObject({ reason: "done", text: "Well." });
  expect(session.agents.list()).toMatchObject([{ status: "failed" }]);
  expect(JSON.stringify(requests.PARENT![1]!.prompt.at(-1))).toContain("failed");
});

test("several calls at once spawn sub-agents one after the other where only one may run", async () => {
  let working = 0;
  const most: number[] = [];
  const step = async () => {
    working += 1;
    most.push(working);
    await new Promise((resolve) => setImmediate(resolve));
    working -= 1;
    return { text: `I am number ${most.length}.` };
  };
  const { model } = familyModel({ CHILD: [step, step, step] });
  const { session } = await openTestSession({ agents: { model, maxRunning: 1 } });
  const call = { name: "Agent", input: { prompt: "CHILD" } };
  const results = await session.callAll([call, call, call]);
  expect(results.map(({ text }) => /I am number \d\./.exec(text)?.[0])).toEqual(
    [1, 2, 3].map((count) => `I am number ${count}.`),
  );
  expect(most).toEqual([1, 1, 1]);
});

test.each(["sync", "background"])(
  "closing the session ends a sub-agent that calls a deaf tool, mode %s",
  async (mode) => {
    const { tool, isCalled } = deafTool();
    const { model } = familyModel({
      CHILD: [calling("deaf")],
      PARENT: [spawnAgent({ mode }), { text: "I wait." }],
    });
    const { runtime, session } = await openTestSession({ tools: [tool] });
    const running = runtime.agent({ model, session }).run("PARENT, go");
    await isCalled;
    await Promise.all([session.close(), session.close(), runtime.close(), runtime.close()]);
    expect(await running).toMatchObject({ reason: "interrupted" });
    expect(session.agents.list()).toMatchObject([{ status: "cancelled", report: { reason: "interrupted" } }]);
  },
);

test.each(["sync", "background"])("closing while it waits for a person ends it, mode %s", async (mode) => {
  const { runtime, session, workspace } = await openTestSession({ approvals: "queue" });
  const { model } = familyModel({
    CHILD: [calling("Write", { file_path: `${workspace}/a.txt`, content: "x" })],
    PARENT: [spawnAgent({ mode }), { text: "I wait." }],
  });
  const running = runtime.agent({ model, session }).run("PARENT, go");
  await vi.waitUntil(() => session.approvals.list().length > 0, { timeout: 45_000 });
  await session.close();
  expect(await running).toMatchObject({ reason: "interrupted" });
  expect(session.approvals.list()).toEqual([]);
  expect(await readdir(workspace)).toEqual([]);
});

test("a session that closes as soon as a call spawns a sub-agent leaves no sub-agent behind", async () => {
  const isSending = Promise.withResolvers<void>();
  // Unlike the built-in tool it is answered for as soon as it is to end.
  const hasty = defineTool({
    name: "hasty",
    description: "Sends one off.",
    params: { mode: { type: "string" } },
    async run({ mode }, { agents }) {
      const sent = mode === "sync" ? agents.run({ prompt: "CHILD" }) : agents.start({ prompt: "CHILD" });
      isSending.resolve();
      return (await sent).title;
    },
  });
  const { model, requests } = familyModel({ CHILD: [{ text: "Here." }] });
  for (const mode of ["sync", "background"]) {
    const { runtime, session } = await openTestSession({
      permissions: { mode: "auto" },
      tools: [hasty],
      agents: { model },
    });
    const calling = session.call("hasty", { mode });
    await isSending.promise;
    await session.close();
    expect(await calling).toMatchObject({ status: "cancelled" });
    await expectOpen(runtime, []);
  }
  expect(requests.CHILD!.length).toBeLessThanOrEqual(1);
});

test("a sub-agent that its call does not wait for ends with the call", async () => {
  const child = patientStep();
  const careless = defineTool({
    name: "careless",
    description: "Sends one off and does not wait for it.",
    params: {},
    traits: { readOnly: true },
    async run(_input, { agents }) {
      agents.run({ prompt: "CHILD" }).catch(() => {});
      await child.isAsked;
      return "sent";
    },
  });
  const { model } = familyModel({
    CHILD: [child.step],
  });
  const { session } = await openTestSession({ tools: [careless], agents: { model } });
  expect(await session.call("careless")).toMatchObject({ status: "done", text: "sent" });
  await vi.waitUntil(() => session.agents.list()[0]!.status === "cancelled", { timeout: 45_000 });
});

test("a sub-agent whose start cannot be recorded is not spawned, and its session is closed", async () => {
  const { store, shaky, mend } = await openShakyStore();
  const { resumed: _ } = await store.openSession({ id: "session_1", workspace: "/w" });
  const log = createSessionLog(shaky, "session_1");
  const closed: string[] = [];
  const child = {
    sessionId: "session_2",
    settle: async () => {},
    run: () => Promise.reject(new Error("must not run")),
    events: async function* () {},
    close: async () => {
      closed.push("session_2");
      return undefined;
    },
  };
  const subAgents = await openSubAgents({
    maker: {
      open: async () => child,
      endLost: async () => {},
      salvage: async () => undefined,
      tidy: async () => {},
    },
    log,
    redactor: createRedactor(),
    records: openKept({ store, log }, "session_1")(agentRecords),
    maxRunning: 1,
    ownProcess: () => ownLifeIn(store),
    isAlive: (process) => isAliveIn(store, process),
  });
  const { signal } = new AbortController();
  const caller = { kind: "code", name: "test" } as const;
  const { run } = subAgents.forCall({ callId: "call_1", signal, caller, clock: new Deadline(signal) });
  await expect(run({ prompt: "go" })).rejects.toThrow("down");
  expect(closed).toEqual(["session_2"]);
  expect(subAgents.list()).toMatchObject([{ status: "failed" }]);
  mend();
  await log.append([{ type: "session-close" }]);
  expect([...(await store.readVariables("agents:session_1")).values()]).toMatchObject([{ status: "failed" }]);
  await subAgents.close();
});

const manyAgents = fuzzRuns({ sample: 30, full: 100 });

test(`${manyAgents} one after the other leave nothing open, and no more than a line of each`, async () => {
  const said = "x".repeat(200_000);
  const { model } = familyModel({
    CHILD: Array.from({ length: manyAgents }, () => ({ text: said })),
    PARENT: [...Array.from({ length: manyAgents }, () => spawnAgent()), { text: "All done." }],
  });
  const { runtime, session } = await openTestSession();
  const result = await runtime.agent({ model, session, maxSteps: 200 }).run("PARENT, go");
  expect(result).toMatchObject({ reason: "done", text: "All done." });
  const listed = session.agents.list();
  expect(listed).toHaveLength(manyAgents);
  expect(Math.max(...listed.map(({ report }) => report!.text.length))).toBeLessThanOrEqual(30_000);
  await expectOpen(runtime, [session.id]);
});

/** Which sessions are not closed. */
async function expectOpen(
  runtime: { sessions(): Promise<readonly { id: string; closedAt?: string }[]> },
  ids: readonly Session["id"][],
): Promise<void> {
  const open = (await runtime.sessions()).filter(({ closedAt }) => closedAt === undefined);
  expect(open.map(({ id }) => id)).toEqual(ids);
}
