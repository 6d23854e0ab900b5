import { expect, test } from "vitest";
import {
  createEkoMessages,
  createFlytoEvents,
  createKodeEvents,
  defineTool,
  formatServerSentEvent,
  type KodeEnvelope,
  type LoggedEvent,
} from "../../src/index.ts";
import { openTestAgent } from "../agent/open-agent.ts";
import { openTestSession } from "../support/open-test-session.ts";

const talk = defineTool({
  name: "talk",
  aliases: ["Speak"],
  description: "Tells how far it is.",
  params: {},
  run: (_input, { progress, emit }) => {
    for (const line of ["log 1", "log 2", "log 3"]) progress(line);
    emit("measured", { width: 3 });
    return "over";
  },
});
const late = defineTool({
  name: "late",
  description: "Never comes back.",
  params: {},
  run: () => new Promise<string>(() => {}),
});

/** The log of an agent that thinks, talks, calls, asks, fails and ends. */
async function log(): Promise<LoggedEvent[]> {
  const { agent, events } = await openTestAgent(
    [
      { reasoning: "let me think", text: "I will talk.", calls: [{ name: "Speak" }, { name: "late" }] },
      { text: "That is all.", usage: { inputTokens: 7, outputTokens: 3 } },
    ],
    {
      runtime: { tools: [talk, late], permissions: { mode: "ask" } },
      onApproval: () => "allow",
      toolTimeoutMs: 30,
    },
  );
  await agent.run("go");
  return events();
}

test("the log gives every kind of event of Flyto's stream, in order", async () => {
  const translate = createFlytoEvents();
  const events = (await log()).flatMap(translate);
  expect(events.map(({ event }) => event)).toEqual([
    "turn_start",
    "thinking_delta",
    "text_delta",
    "thinking",
    "text",
    "tool_use",
    "tool_use",
    "permission_request",
    "tool_progress",
    "tool_progress",
    "tool_progress",
    "tool_result",
    "permission_request",
    "tool_result",
    "turn_end",
    "turn_start",
    "text_delta",
    "text",
    "turn_end",
    "done",
  ]);
  const used = events.find(({ event }) => event === "tool_use")!.data;
  const result = events.find(({ event }) => event === "tool_result")!.data;
  expect(result).toMatchObject({ tool_use_id: used.id, name: "Speak", output: "over", is_error: false });
  const names = events
    .filter(({ data }) => (data.tool_use_id ?? data.id) === used.id)
    .map(({ data }) => data.name ?? data.tool_name);
  expect(names).toEqual(Array(6).fill("Speak"));
  const asked = events.find(({ event }) => event === "permission_request")!.data;
  expect(asked).toMatchObject({ tool_use_id: used.id, tool_name: "Speak", input: {} });
  expect(formatServerSentEvent(events[0]!, 4)).toBe('id: 4\nevent: turn_start\ndata: {"turn":1}\n\n');
});

test("the log gives KODE's three channels, with its alerts and its own events of tools", async () => {
  const envelopes = (await log()).flatMap(createKodeEvents());
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

test("the log gives Eko's messages, with one stream id for what a tool tells and the whole of it at the end", async () => {
  const sender = { taskId: "task-1", agentName: "Tester", nodeId: "node-1" };
  const messages = (await log()).flatMap(createEkoMessages(sender));
  expect(new Set(messages.map(({ type }) => type))).toEqual(
    new Set([
      "agent_start",
      "thinking",
      "text",
      "tool_streaming",
      "tool_use",
      "tool_running",
      "tool_result",
      "finish",
      "agent_result",
    ]),
  );
  const running = messages.filter(({ type }) => type === "tool_running");
  expect(running.map(({ text, streamDone }) => [text, streamDone])).toEqual([
    ["log 1", false],
    ["log 2", false],
    ["log 3", false],
    ["log 1\nlog 2\nlog 3", true],
  ]);
  expect(new Set(running.map(({ streamId }) => streamId)).size).toBe(1);
  expect(running[0]).toMatchObject({ ...sender, toolName: "Speak", toolId: running[0]!.toolCallId });
  const texts = messages.filter(({ type }) => type === "text");
  expect(texts.map(({ text, streamDone }) => [text, streamDone])).toEqual([
    ["I will talk.", false],
    ["I will talk.", true],
    ["That is all.", false],
    ["That is all.", true],
  ]);
  expect(texts[0]!.streamId).toBe(texts[1]!.streamId);
  const thoughts = messages.filter(({ type }) => type === "thinking");
  expect(thoughts.map(({ text, streamDone }) => [text, streamDone])).toEqual([
    ["let me think", false],
    ["let me think", true],
  ]);
  expect(thoughts[0]!.streamId).toBe(thoughts[1]!.streamId);
  const ofSpeak = messages.filter(({ toolName }) => toolName === "Speak");
  expect(new Set(ofSpeak.map(({ toolCallId }) => toolCallId)).size).toBe(1);
  expect(messages.filter(({ type }) => type === "finish")).toMatchObject([
    { finishReason: "tool-calls" },
    { finishReason: "stop", usage: { promptTokens: 7, completionTokens: 3, totalTokens: 10 } },
  ]);
  expect(messages.at(-1)).toMatchObject({
    type: "agent_result",
    result: "That is all.",
    agentNode: { id: "node-1", name: "Tester", status: "done" },
  });
});

test("what was cut off is closed, and told again where the model is asked again", async () => {
  const place = {
    sessionId: "s",
    at: "2026-01-01T00:00:00.000Z",
    channel: "progress",
    runId: "r",
    step: 1,
  } as const;
  const cutOff: LoggedEvent[] = [
    { ...place, sequence: 1, type: "text-delta", text: "Half a" },
    { ...place, sequence: 2, type: "model-retry", attempt: 1, delayMs: 5, reason: "lost" },
    { ...place, sequence: 3, type: "text-delta", text: "A whole" },
    { ...place, sequence: 4, type: "text-delta", text: " one" },
  ];
  const end: LoggedEvent = {
    ...place,
    sequence: 5,
    type: "agent-end",
    reason: "interrupted",
    steps: 1,
    usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
    text: "",
  };
  const kode = [...cutOff, end].flatMap(createKodeEvents()).map(({ event }) => event);
  expect(kode.filter(({ type }) => type === "text_chunk_end").map(({ text }) => text)).toEqual([
    "Half a",
    "A whole one",
  ]);
  const sender = { taskId: "t", agentName: "a", nodeId: "n" };
  const eko = [...cutOff, end].flatMap(createEkoMessages(sender)).filter(({ type }) => type === "text");
  expect(eko.map(({ streamId, streamDone, text }) => [streamId, streamDone, text])).toEqual([
    ["text-1", false, "Half a"],
    ["text-1", true, "Half a"],
    ["text-3", false, "A whole"],
    ["text-3", false, "A whole one"],
    ["text-3", true, "A whole one"],
  ]);
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
  const error = { code: "unknown-outcome", message: "how far it got is not known" } as const;
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
    { ...place, sequence: 3, type: "session-opened", resumed: true, workspace: "/w" },
  ];
  const resumed = log.flatMap(createKodeEvents()).at(-1)!.event;
  expect(resumed).toMatchObject({
    type: "agent_resumed",
    strategy: "crash",
    sealed: [{ id: "c", name: "act", state: "SEALED", isError: true, error: error.message }],
  });
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
