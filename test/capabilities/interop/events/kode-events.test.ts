import { expect, test } from "vitest";
import { createKodeEvents, type KodeEnvelope } from "../../../../src/capabilities/interop/index.ts";
import type { LoggedEvent } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { openTestAgent } from "../../agents/open-agent.ts";
import { familyModel } from "../../agents/sub-agents/family-model.ts";
import { logOfAgent } from "./log-of-agent.ts";

test("the log gives KODE's three channels, with its alerts and its own events of tools", async () => {
  const envelopes = (await logOfAgent()).flatMap(createKodeEvents());
  const all = envelopes.map(({ event }) => event);
  expect(all.filter(({ channel }) => channel === "progress").slice(0, 6)).toMatchObject([
    { type: "think_chunk_start", step: 1 },
    { type: "think_chunk", step: 1, delta: "let me think" },
    { type: "think_chunk_end", step: 1 },
    { type: "text_chunk_start", step: 1 },
    { type: "text_chunk", step: 1, delta: "I will talk." },
    { type: "text_chunk_end", step: 1, text: "I will talk." },
  ]);
  const states = all.filter(({ type }) => type === "state_changed").map(({ state }) => state);
  expect(states).toEqual(["WORKING", "PAUSED", "WORKING", "PAUSED", "WORKING", "READY"]);
  const typesIn = (channel: string) =>
    envelopes.flatMap(({ event }) => (event.channel === channel ? [event.type] : []));
  expect(new Set(typesIn("progress"))).toEqual(
    new Set([
      "think_chunk_start",
      "think_chunk",
      "think_chunk_end",
      "text_chunk_start",
      "text_chunk",
      "text_chunk_end",
      "tool:start",
      "tool:end",
      "tool:error",
      "done",
    ]),
  );
  expect(typesIn("control")).toEqual([
    "permission_required",
    "permission_decided",
    "permission_required",
    "permission_decided",
  ]);
  const approval = { required: true, decision: "allow", decidedBy: expect.any(String) };
  expect(all.find(({ type }) => type === "tool:start")!.call).toMatchObject({
    name: "Speak",
    state: "EXECUTING",
    inputPreview: "{}",
    approval,
  });
  expect(all.find(({ type }) => type === "tool:end")!.call).toMatchObject({
    name: "Speak",
    state: "COMPLETED",
    isError: false,
    result: "over",
    startedAt: expect.any(Number),
    completedAt: expect.any(Number),
    approval,
  });
  const { event: custom, bookmark } = envelopes.find(({ event }) => event.type === "tool_custom_event")!;
  expect(custom).toMatchObject({
    channel: "monitor",
    toolName: "Speak",
    eventType: "measured",
    data: { width: 3 },
    timestamp: bookmark.timestamp,
  });
  expect(custom.bookmark).toEqual(bookmark);
  const alert = envelopes.find(({ event }) => event.type === "error" && event.phase === "tool")!.event;
  expect(alert).toMatchObject({
    message: expect.stringContaining("aborted"),
    detail: { toolName: "late", status: "timed-out" },
  });
  expect(envelopes.at(-2)!.event).toMatchObject({ type: "done", reason: "completed" });
  const cursors = envelopes.map(({ cursor }) => cursor);
  expect(cursors).toEqual(cursors.toSorted((one, other) => one - other));
});

test("a change to the todos is told in KODE's form, with the list before it and after it", async () => {
  const { session } = await openTestSession();
  await session.todos.write([{ id: "a", title: "A", status: "in_progress" }]);
  await session.todos.write([
    { id: "a", title: "A", status: "completed" },
    { id: "b", title: "B" },
  ]);
  await session.close();
  const envelopes: KodeEnvelope[] = [];
  const translate = createKodeEvents();
  for await (const event of session.events()) envelopes.push(...translate(event));
  const changes = envelopes.filter(({ event }) => event.type === "todo_changed").map(({ event }) => event);
  expect(changes).toMatchObject([
    { previous: [], current: [{ id: "a", status: "in_progress", createdAt: expect.any(Number) }] },
    {
      previous: [{ id: "a" }],
      current: [
        { id: "a", status: "completed" },
        { id: "b", status: "pending" },
      ],
    },
  ]);
});

test("a session that is resumed after a crash tells KODE which calls it cut off", () => {
  const place = { sessionId: "s", at: "2026-01-01T00:00:00.000Z", channel: "progress" } as const;
  const about = {
    callId: "c",
    tool: "act",
    input: { x: 1 },
    inputHash: "",
    caller: { kind: "code", name: "t" },
  } as const;
  const error = { code: "unknown-outcome", message: "its outcome is unknown" } as const;
  const receipt = {
    ...about,
    sessionId: "s",
    startedAt: place.at,
    durationMs: 0,
    effects: { reads: [], writes: [], runs: [], hosts: [], opaque: false },
    status: "sealed",
    resultHash: "",
  } as const;
  const log: LoggedEvent[] = [
    { ...place, sequence: 1, type: "call-start", ...about, run: "r" },
    { ...place, sequence: 2, type: "call-end", callId: "c", receipt, text: error.message, error },
    { ...place, sequence: 3, type: "session-open", resumed: true, workspace: "/w" },
  ];
  const resumed = log.flatMap(createKodeEvents()).at(-1)!.event;
  expect(resumed).toMatchObject({
    type: "agent_resumed",
    strategy: "crash",
    sealed: [{ id: "c", name: "act", state: "SEALED", isError: true, error: error.message }],
  });
  const closed: LoggedEvent = { ...place, sequence: 3, type: "session-close" };
  const inOrder = [...log.slice(0, 2), closed, ...log.slice(2)].flatMap(createKodeEvents()).at(-1)!.event;
  expect(inOrder).toMatchObject({ type: "agent_resumed", strategy: "manual", sealed: [] });
  const calm = log.slice(2).flatMap(createKodeEvents()).at(-1)!.event;
  expect(calm).toMatchObject({ type: "agent_resumed", strategy: "manual", sealed: [] });
});

test("a reminder of the todos is told, and that the model was told of them", async () => {
  const calls = [
    { name: "todo_write", input: { todos: [{ id: "a", title: "A", status: "in_progress" }] } },
    ...Array.from({ length: 9 }, () => ({ name: "todo_read" })),
  ];
  const { agent, events } = await openTestAgent([{ calls }, { text: "over" }]);
  await agent.run("go");
  const translate = createKodeEvents();
  const told = (await events()).flatMap(translate).map(({ event }) => event);
  const text = "1 still to do:\n- [in_progress] a: A";
  expect(told.filter(({ type }) => type === "todo_reminder")).toMatchObject([
    { channel: "monitor", todos: [{ id: "a" }], reason: text },
  ]);
  expect(told.filter(({ type }) => type === "reminder_sent")).toMatchObject([
    { channel: "monitor", category: "todo", content: expect.stringContaining(text) },
  ]);
});

test("news of an agent in the background are not told as if they were of the todos", async () => {
  const { model } = familyModel({
    CHILD: [{ text: "Found it." }],
    PARENT: [
      { calls: [{ name: "Agent", input: { prompt: "CHILD, look", mode: "background" } }] },
      { text: "I wait." },
      { text: "Good." },
    ],
  });
  const { runtime, session } = await openTestSession();
  await runtime.agent({ model, session }).run("PARENT, go");
  await session.close();
  const told: KodeEnvelope["event"][] = [];
  const translate = createKodeEvents();
  for await (const event of session.events())
    told.push(...translate(event).map((envelope) => envelope.event));
  expect(told.filter(({ type }) => type === "reminder_sent")).toMatchObject([
    { channel: "monitor", category: "general", content: expect.stringContaining("Found it.") },
  ]);
});
