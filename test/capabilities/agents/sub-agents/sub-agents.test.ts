import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { defineTool, type LoggedEvent, type Session } from "../../../../src/index.ts";
import { describeAsker } from "../../../../src/tool/services/question.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";
import { patientStep } from "./patient-step.ts";

const spawnAgent = (input: Record<string, unknown>) => calling("Agent", { prompt: "CHILD, look", ...input });

test("a sub-agent works in a session of its own, and what it says last comes back", async () => {
  const { model, requests } = familyModel({
    CHILD: [calling("echo", { text: "found it" }), { text: "It is in a.txt." }],
    PARENT: [spawnAgent({ description: "look for it" }), { text: "The child says: a.txt." }],
  });
  const { runtime, session } = await openTestSession({ tools: [echo] });
  const result = await runtime.agent({ model, session }).run("PARENT, go");
  expect(result).toMatchObject({ reason: "done", text: "The child says: a.txt.", steps: 2 });
  expect(lastOutput(requests.PARENT![1]!)).toMatch(
    /^\(agent_\w{6}: 2 steps, 1 call, 0 tokens\)\nIts final message:\n<(agent-content-\w+)>\nIt is in a\.txt\.\n<\/\1>\n/,
  );
  const [child] = session.agents.list();
  expect(child).toMatchObject({ title: "look for it", status: "done", mode: "sync", progress: { calls: 1 } });
  const receipts = await runtime.receipts({ sessionId: child!.sessionId });
  expect(receipts).toMatchObject([
    { tool: "echo", caller: { kind: "agent", name: `agent ${child!.id}` }, status: "done" },
  ]);
  expect(await runtime.receipts({ sessionId: session.id })).toMatchObject([{ tool: "agent_run" }]);
});

test("a sub-agent's events are all told in the log of its parent, by its id", async () => {
  const { model } = familyModel({
    CHILD: [calling("echo", { text: "hi" }), { text: "Done." }],
    PARENT: [spawnAgent({}), { text: "Good." }],
  });
  const { runtime, session } = await openTestSession({ tools: [echo] });
  await runtime.agent({ model, session }).run("PARENT, go");
  const [child] = session.agents.list();
  const own = await eventsOf(await runtime.openSession({ id: child!.sessionId }), "session-close");
  const told = await eventsOf(session, "agent-end");
  const start = told.findIndex(({ type }) => type === "subagent-start");
  const end = told.findIndex(({ type }) => type === "subagent-end");
  expect(told[start]).toMatchObject({
    subagentId: child!.id,
    childSessionId: child!.sessionId,
    mode: "sync",
  });
  expect(told.every(({ sessionId }) => sessionId === session.id)).toBe(true);
  expect(told[end]).toMatchObject({
    subagentId: child!.id,
    reason: "done",
    text: "Done.",
    steps: 2,
    calls: 1,
  });
  const forwarded = told.flatMap((event) => (event.type === "subagent-event" ? [event] : []));
  expect(forwarded.every(({ subagentId }) => subagentId === child!.id)).toBe(true);
  expect(forwarded.map(({ event }) => event)).toEqual(own);
  const places = told.flatMap(({ type }, place) => (type === "subagent-event" ? [place] : []));
  expect(places.every((place) => place > start && place < end)).toBe(true);
});

test("a call that spawns a sub-agent in the background is answered at once, and the parent goes on until it is told of the end", async () => {
  const child = patientStep();
  const { model, requests } = familyModel({
    CHILD: [child.step],
    PARENT: [
      spawnAgent({ mode: "background", description: "look" }),
      () => {
        child.end();
        return { text: "I have nothing else to do." };
      },
      { text: "It has looked." },
    ],
  });
  const { runtime, session } = await openTestSession();
  const result = await runtime.agent({ model, session }).run("PARENT, go");
  expect(result).toMatchObject({ reason: "done", text: "It has looked.", steps: 3 });
  expect(lastOutput(requests.PARENT![1]!)).toMatch(
    /^Spawned agent_\w{6} \(look\) in the background; see whether it has ended and what it reported with TaskList, cancel it with TaskUpdate\.\nYou are notified when it ends; do not wait for it\.$/,
  );
  const told = JSON.stringify(requests.PARENT![2]!.prompt.at(-1));
  expect(told).toContain("[Reminder from Toolwright, not from the user] Agent agent_");
  expect(told).toContain("I have looked.");
});

test("a sub-agent is listed beside the tasks, and ended through them", async () => {
  const { model } = familyModel({
    CHILD: [calling("wait")],
    PARENT: [
      spawnAgent({ mode: "background", description: "wait for ever" }),
      { text: "Off it went." },
      { text: "Gone." },
    ],
  });
  const isWaiting = Promise.withResolvers<void>();
  const wait = defineTool({
    name: "wait",
    description: "Waits until it is stopped.",
    params: {},
    run: (_input, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        isWaiting.resolve();
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const { runtime, session } = await openTestSession({ permissions: { mode: "auto" }, tools: [wait] });
  const running = runtime.agent({ model, session }).run("PARENT, go");
  await isWaiting.promise;
  const [work] = await session.tasks.background();
  expect(work).toMatchObject({ kind: "agent", title: "wait for ever", status: "in_progress" });
  const ended = await session.call("TaskUpdate", { id: work!.id, status: "cancelled" });
  expect(ended).toMatchObject({ status: "done", data: { kind: "agent", status: "cancelled" } });
  expect(await running).toMatchObject({ text: "Gone." });
});

test("a sub-agent may do no more than its parent: rules, mode and the person who is asked are the same", async () => {
  const asked: string[] = [];
  const { runtime, session, workspace } = await openTestSession({
    permissions: { deny: ["Bash"] },
    onApproval: ({ tool, sessionId }) => {
      asked.push(`${tool} in ${sessionId === session.id ? "the parent's" : "its own"} session`);
      return "deny";
    },
  });
  const { model } = familyModel({
    CHILD: [
      calling("Write", { file_path: join(workspace, "b.txt"), content: "x" }),
      calling("Bash", { command: "touch made.txt" }),
      { text: "I could not." },
    ],
    PARENT: [spawnAgent({}), { text: "Well." }],
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  const [child] = session.agents.list();
  const receipts = await runtime.receipts({ sessionId: child!.sessionId });
  expect(receipts.map(({ tool, status }) => [tool, status])).toEqual([
    ["shell_run", "denied"],
    ["file_write", "denied"],
  ]);
  expect(asked).toEqual(["file_write in its own session"]);
  expect(await readdir(workspace)).toEqual([]);
});

test("a person who is asked is told which agent asks", async () => {
  const asking: unknown[] = [];
  const { runtime, session, workspace } = await openTestSession({
    onApproval: ({ caller, sessionId }) => {
      asking.push({ caller, sessionId });
      return "deny";
    },
    onQuestion: async (question, _signal, { caller, sessionId }) => {
      asking.push({
        caller,
        sessionId,
        text: `${describeAsker({ callId: "", sessionId, caller })} asks: ${question.text}`,
      });
      return "blue";
    },
  });
  const { model } = familyModel({
    CHILD: [
      calling("Write", { file_path: join(workspace, "b.txt"), content: "x" }),
      calling("user_ask", { question: "Which colour?" }),
      { text: "Blue." },
    ],
    PARENT: [spawnAgent({}), { text: "Well." }],
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  const [{ id, sessionId } = { id: "", sessionId: "" }] = session.agents.list();
  const caller = { kind: "agent", name: `agent ${id}`, onBehalfOf: { kind: "agent", name: "agent" } };
  expect(asking).toEqual([
    { caller, sessionId },
    { caller, sessionId, text: `Agent "${id}" asks: Which colour?` },
  ]);
});

test("approvals of a sub-agent wait beside those of its parent", async () => {
  const { runtime, session, workspace } = await openTestSession({ approvals: "queue" });
  const file = join(workspace, "b.txt");
  const { model } = familyModel({
    CHILD: [calling("Write", { file_path: file, content: "x" }), { text: "Written." }],
    PARENT: [spawnAgent({}), { text: "Well." }],
  });
  const running = runtime.agent({ model, session }).run("PARENT, go");
  const approval = await vi.waitUntil(() => session.approvals.list()[0], { timeout: 45_000 });
  expect(approval).toMatchObject({ tool: "file_write" });
  session.approvals.decide(approval.id, "allow");
  expect(await running).toMatchObject({ reason: "done" });
  expect(await readFile(file, "utf8")).toBe("x");
});

test("a sub-agent's calls are paid for by its parent's budget", async () => {
  const { model } = familyModel({
    CHILD: [
      { calls: [1, 2, 3].map(() => ({ name: "echo", input: { text: "x" } })) },
      { text: "I was stopped." },
    ],
    PARENT: [spawnAgent({}), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({ tools: [echo], budget: { calls: 3 } });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(session.budget.used.calls).toBe(3);
  const [child] = session.agents.list();
  expect(child).toMatchObject({ report: { reason: "budget" } });
});

test("tokens that a sub-agent spends count for all agents above it", async () => {
  const usage = { inputTokens: 400, outputTokens: 100 };
  const { model } = familyModel({
    CHILD: Array.from({ length: 9 }, () => ({ ...calling("echo", { text: "x" }), usage })),
    PARENT: [
      { ...spawnAgent({}), usage },
      { text: "never said", usage },
    ],
  });
  const { runtime, session } = await openTestSession({ tools: [echo] });
  const result = await runtime.agent({ model, session, budget: { tokens: 2000 } }).run("PARENT, go");
  expect(result).toMatchObject({ reason: "budget", steps: 1 });
  expect(session.agents.list()).toMatchObject([{ report: { reason: "budget", steps: 3, tokens: 1500 } }]);
});

test("a sub-agent's prompts begin as its parent's do, and a tool that it may not use is offered and refused", async () => {
  const { model, requests } = familyModel({
    CHILD: [spawnAgent({ prompt: "GRANDCHILD" }), { text: "I may not." }],
    PARENT: [spawnAgent({}), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({ tools: [echo] });
  await runtime.agent({ model, session }).run("PARENT, go");
  const [own] = requests.PARENT!;
  const [childs, after] = requests.CHILD!;
  expect(childs!.tools).toEqual(own!.tools);
  expect(childs!.prompt[0]).toEqual(own!.prompt[0]);
  expect(childs!.providerOptions).toEqual(own!.providerOptions);
  expect(lastOutput(after!)).toContain("Agent is not allowed here");
});

test("sub-agents spawn others down to maxDepth, and no deeper", async () => {
  const { model, requests } = familyModel({
    GRANDCHILD: [spawnAgent({ prompt: "GREAT" }), { text: "No." }],
    CHILD: [spawnAgent({ prompt: "GRANDCHILD" }), { text: "It says no." }],
    PARENT: [spawnAgent({}), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({ agents: { maxDepth: 2 } });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(requests.GRANDCHILD).toHaveLength(2);
  expect(lastOutput(requests.GRANDCHILD![1]!)).toContain("is not allowed here");
});

test("an interrupt of the parent interrupts its sub-agent", async () => {
  const child = patientStep();
  const { model } = familyModel({
    CHILD: [child.step],
    PARENT: [spawnAgent({})],
  });
  const { runtime, session } = await openTestSession();
  const agent = runtime.agent({ model, session });
  const running = agent.run("PARENT, go");
  await child.isAsked;
  agent.interrupt();
  expect(await running).toMatchObject({ reason: "interrupted" });
  expect(session.agents.list()).toMatchObject([{ status: "cancelled", report: { reason: "interrupted" } }]);
});

test("closing the session stops its sub-agents in the background, and its next run is told", async () => {
  const child = patientStep();
  const { model } = familyModel({
    CHILD: [child.step],
    PARENT: [spawnAgent({ mode: "background" }), { text: "I wait." }],
  });
  const { runtime, session } = await openTestSession();
  const running = runtime.agent({ model, session }).run("PARENT, go");
  await child.isAsked;
  await session.close();
  expect(await running).toMatchObject({ reason: "interrupted" });
  const again = familyModel({ PARENT: [{ text: "I see." }] });
  const resumed = await runtime.openSession({ id: session.id });
  expect(resumed.agents.list()).toMatchObject([{ status: "cancelled" }]);
  await runtime.agent({ model: again.model, session: resumed }).run("PARENT, and now?");
  expect(JSON.stringify(again.requests.PARENT![0]!.prompt)).toContain("has ended: cancelled");
});

test("a sub-agent beyond maxRunning is refused", async () => {
  const child = patientStep();
  const { model, requests } = familyModel({
    CHILD: [child.step, child.step],
    PARENT: [
      { calls: [1, 2, 3].map(() => spawnAgent({ mode: "background" }).calls![0]!) },
      () => {
        child.end();
        return { text: "I wait." };
      },
      { text: "One." },
      { text: "Two." },
    ],
  });
  const { runtime, session } = await openTestSession({ agents: { maxRunning: 2 } });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(session.agents.list()).toHaveLength(2);
  expect(JSON.stringify(requests.PARENT![1]!.prompt)).toContain("the limit of 2 running agents is reached");
});

test("a call from elsewhere than an agent needs a model to be named, and works with it", async () => {
  const without = await openTestSession();
  expect(await without.session.call("Agent", { prompt: "CHILD, go" })).toMatchObject({
    status: "failed",
    error: { code: "unavailable", hint: expect.stringContaining("agents.model") },
  });
  const { model } = familyModel({ CHILD: [{ text: "Here I am." }] });
  const { session } = await openTestSession({ agents: { model } });
  const result = await session.call("Agent", { prompt: "CHILD, go" });
  expect(result).toMatchObject({ status: "done", data: { text: "Here I am.", reason: "done" } });
});

test("a sub-agent whose model fails is told to its parent as a failure, with what it had done", async () => {
  const { model, requests } = familyModel({
    CHILD: [{ text: "Half.", ...calling("echo", { text: "x" }) }, { error: new Error("no credit left") }],
    PARENT: [spawnAgent({}), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({ tools: [echo] });
  await runtime.agent({ model, session, maxRetries: 0 }).run("PARENT, go");
  const output = lastOutput(requests.PARENT![1]!);
  expect(output).toContain("no credit left");
  expect(session.agents.list()).toMatchObject([{ status: "failed" }]);
});

test("a sub-agent changes the same files, and its own session undoes its changes", async () => {
  const { runtime, session, workspace } = await openTestSession({ permissions: { mode: "edit" } });
  const file = join(workspace, "a.txt");
  await writeFile(file, "one\n");
  const { model } = familyModel({
    CHILD: [
      calling("Read", { file_path: file }),
      calling("Edit", { file_path: file, old_string: "one", new_string: "two" }),
      { text: "Changed." },
    ],
    PARENT: [spawnAgent({}), { text: "Good." }],
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(await readFile(file, "utf8")).toBe("two\n");
  const [child] = session.agents.list();
  const [edit] = await runtime.receipts({ sessionId: child!.sessionId });
  const again = await runtime.openSession({ id: child!.sessionId });
  expect(await again.undo(edit!.callId)).toMatchObject({ status: "done" });
  expect(await readFile(file, "utf8")).toBe("one\n");
});

function lastOutput({ prompt }: { prompt: readonly { role: string; content: unknown }[] }): string {
  const { content } = prompt.findLast(({ role }) => role === "tool")!;
  const [{ output }] = content as [{ output: { value: string } }];
  return output.value;
}

async function eventsOf(session: Session, last: LoggedEvent["type"]): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of session.events()) {
    events.push(event);
    if (event.type === last) break;
  }
  return events;
}
