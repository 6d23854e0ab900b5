import { expect, test } from "vitest";
import {
  createEkoMessages,
  createFlytoEvents,
  createKodeEvents,
  type FlytoEvent,
  type KodeEnvelope,
} from "../../../../src/capabilities/interop/index.ts";
import type { LoggedEvent } from "../../../../src/index.ts";
import { logOfFamily } from "./log-of-family.ts";

test("Flyto's stream has what agents below do as their own events, by their ids, however far down", async () => {
  const log = await logOfFamily();
  const events = log.flatMap(createFlytoEvents());
  const [start, ...others] = events.filter(({ event }) => event === "subagent_start");
  expect(others).toEqual([]);
  const { subagent_id: childId } = start!.data;
  const call = events.find(({ event }) => event === "tool_use")!.data;
  expect(start!.data).toMatchObject({
    subagent_id: expect.stringMatching(/^agent_\w{6}$/),
    tool_use_id: call.id,
    description: "go down",
    mode: "sync",
    agent_type: "talker",
  });
  const childs = innerOf(events, childId);
  expect(childs.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["turn_start", "text_delta", "text", "tool_use", "tool_progress", "tool_result"]),
  );
  expect(textsOf(childs)).toEqual(["Middle.", "Middle end."]);
  const { subagent_id: grandchildId } = childs.find(({ event }) => event === "subagent_start")!.data;
  expect(textsOf(innerOf(childs, grandchildId))).toEqual(["Low.", "Low end."]);
  expect(textsOf(events)).toEqual(["High.", "High end."]);
  const end = events.find(({ event }) => event === "subagent_end")!.data;
  expect(end).toMatchObject({
    subagent_id: childId,
    reason: "done",
    text: "Middle end.",
    turns: 2,
    tool_calls: 2,
  });
  // Whoever knows nothing of agents below still sees each question, once.
  const asked = events.filter(({ event }) => event === "permission_request");
  expect(asked.map(({ data }) => data.subagent_id)).toEqual([childId, grandchildId]);
  const requests = requestsIn(log);
  expect(asked.map(({ data }) => data.id)).toEqual(requests.map(({ approvalId }) => approvalId));
  expect(asked[0]!.data).toMatchObject({ tool_name: "talk", input: {}, reason: expect.any(String) });
});

test("KODE's monitor has what agents below do, and approvals of their calls are asked for like all others", async () => {
  const log = await logOfFamily();
  const envelopes = log.flatMap(createKodeEvents());
  const all = envelopes.map(({ event }) => event);
  const start = all.find(({ type }) => type === "subagent_start")!;
  expect(start).toMatchObject({ channel: "monitor", title: "go down", templateId: "talker", mode: "sync" });
  const childs = all.flatMap((event) =>
    event.type === "subagent_event" && event.subagentId === start.subagentId ? [event] : [],
  );
  expect(new Set(childs.map(({ channel }) => channel))).toEqual(new Set(["monitor"]));
  const inner = childs.map(({ event }) => event as KodeEnvelope["event"]);
  expect(endsOf(inner)).toEqual(["Middle.", "Middle end."]);
  expect(endsOf(all)).toEqual(["High.", "High end."]);
  const lower = inner.flatMap((event) =>
    event.type === "subagent_event" ? [event.event as KodeEnvelope["event"]] : [],
  );
  expect(endsOf(lower)).toEqual(["Low.", "Low end."]);
  expect(all.find(({ type }) => type === "subagent_end")).toMatchObject({
    subagentId: start.subagentId,
    reason: "done",
    steps: 2,
    toolCalls: 2,
  });
  const grandchildId = inner.find(({ type }) => type === "subagent_start")!.subagentId;
  const controls = all.filter(({ channel }) => channel === "control");
  expect(controls.map(({ type, subagentId }) => [type, subagentId])).toEqual([
    ["permission_required", start.subagentId],
    ["permission_decided", start.subagentId],
    ["permission_required", grandchildId],
    ["permission_decided", grandchildId],
  ]);
  expect(controls.map(({ permissionId }) => permissionId)).toEqual(
    requestsIn(log).flatMap(({ approvalId }) => [approvalId, approvalId]),
  );
  const cursors = envelopes.map(({ cursor }) => cursor);
  expect(cursors).toEqual(cursors.toSorted((one, other) => one - other));
  // Those of the agent itself are not those of the ones below.
  expect(all.filter(({ type }) => type === "state_changed").map(({ state }) => state)).toEqual([
    "WORKING",
    "READY",
  ]);
});

test("Eko's messages have agents below as nodes of their own, whose streams do not mix", async () => {
  const log = await logOfFamily();
  const sender = { taskId: "task-1", agentName: "Tester", nodeId: "node-1" };
  const messages = log.flatMap(createEkoMessages(sender));
  expect(new Set(messages.map(({ taskId }) => taskId))).toEqual(new Set(["task-1"]));
  const starts = messages.filter(({ type }) => type === "agent_start");
  expect(starts.map(({ agentName, agentNode }) => [agentName, agentNode])).toEqual([
    ["Tester", { id: "node-1", name: "Tester", status: "running" }],
    ["talker", { id: starts[1]!.nodeId, name: "talker", task: "go down", status: "running" }],
    ["go lower", { id: starts[2]!.nodeId, name: "go lower", task: "go lower", status: "running" }],
  ]);
  const texts = messages.filter(({ type, streamDone }) => type === "text" && streamDone);
  const said = (nodeId: string) => texts.flatMap((each) => (each.nodeId === nodeId ? [each.text] : []));
  expect(starts.map(({ nodeId }) => said(nodeId))).toEqual([
    ["High.", "High end."],
    ["Middle.", "Middle end."],
    ["Low.", "Low end."],
  ]);
  const streams = Map.groupBy(
    messages.filter(({ streamId }) => streamId !== undefined),
    ({ streamId }) => streamId,
  );
  for (const [, ofStream] of streams) expect(new Set(ofStream.map(({ nodeId }) => nodeId)).size).toBe(1);
  const results = messages.filter(({ type }) => type === "agent_result");
  expect(results.map(({ nodeId, result }) => [nodeId, result])).toEqual([
    [starts[2]!.nodeId, "Low end."],
    [starts[1]!.nodeId, "Middle end."],
    ["node-1", "High end."],
  ]);
  const asked = messages.filter(({ type }) => type === "permission_request");
  expect(asked.map(({ nodeId }) => nodeId)).toEqual([starts[1]!.nodeId, starts[2]!.nodeId]);
  expect(asked.map(({ permissionId }) => permissionId)).toEqual(
    requestsIn(log).map(({ approvalId }) => approvalId),
  );
});

test("a reader who starts in the middle is told of sub-agents that began before", async () => {
  const log = await logOfFamily();
  const later = log.slice(log.findIndex(({ type }) => type === "subagent-start") + 1);
  const { subagentId } = later.find(({ type }) => type === "subagent-event") as { subagentId: string };
  const flyto = later.flatMap(createFlytoEvents());
  expect(textsOf(innerOf(flyto, subagentId))).toEqual(["Middle.", "Middle end."]);
  const sender = { taskId: "task-1", agentName: "Tester", nodeId: "node-1" };
  const eko = later.flatMap(createEkoMessages(sender));
  expect(eko.find(({ nodeId }) => nodeId === subagentId)).toMatchObject({ agentName: subagentId });
});

test("two sub-agents that talk at the same time each have their own words", () => {
  const bare = { sessionId: "s", at: "2026-01-01T00:00:00.000Z", channel: "progress" } as const;
  let sequence = 0;
  const log = ["one", "two", "one", "two"].map((subagentId): LoggedEvent => {
    sequence += 1;
    const text = `${subagentId} ${sequence} `;
    const event = { ...bare, sequence, type: "text-delta", runId: "r", step: 1, text } as const;
    return { ...bare, sequence, type: "subagent-event", subagentId, event };
  });
  const eko = log.flatMap(createEkoMessages({ taskId: "t", agentName: "Tester", nodeId: "n" }));
  expect(eko.map(({ nodeId, text, streamDone }) => [nodeId, text, streamDone])).toEqual([
    ["one", "one 1 ", false],
    ["two", "two 2 ", false],
    ["one", "one 1 one 3 ", false],
    ["two", "two 2 two 4 ", false],
  ]);
  const kode = log
    .flatMap(createKodeEvents())
    .map(({ event }) => [event.subagentId, (event.event as { type: string }).type]);
  expect(kode).toEqual([
    ["one", "text_chunk_start"],
    ["one", "text_chunk"],
    ["two", "text_chunk_start"],
    ["two", "text_chunk"],
    ["one", "text_chunk"],
    ["two", "text_chunk"],
  ]);
});

test("a sub-agent that never got to work still has an end", () => {
  const bare = { sessionId: "s", at: "2026-01-01T00:00:00.000Z", channel: "progress" } as const;
  const report = { reason: "failed", problem: "no credit", text: "", steps: 0, calls: 0, tokens: 0 } as const;
  const log: LoggedEvent[] = [
    {
      ...{ ...bare, sequence: 1, type: "subagent-start", subagentId: "agent_1" },
      ...{ callId: "call_1", mode: "background", title: "go", childSessionId: "c" },
    },
    {
      ...{ ...bare, sequence: 2, type: "subagent-end", subagentId: "agent_1" },
      ...{ title: "go", childSessionId: "c", durationMs: 3, ...report },
    },
  ];
  expect(log.flatMap(createFlytoEvents())[1]).toMatchObject({
    event: "subagent_end",
    data: { subagent_id: "agent_1", reason: "failed", error: "no credit" },
  });
  expect(log.flatMap(createKodeEvents())[1]!.event).toMatchObject({
    type: "subagent_end",
    error: "no credit",
  });
  const eko = log.flatMap(createEkoMessages({ taskId: "t", agentName: "Tester", nodeId: "n" }));
  expect(eko.map(({ type, nodeId }) => [type, nodeId])).toEqual([
    ["agent_start", "agent_1"],
    ["error", "agent_1"],
    ["agent_result", "agent_1"],
  ]);
  expect(eko[2]).toMatchObject({ agentNode: { status: "error" }, error: "no credit" });
});

function innerOf(events: readonly FlytoEvent[], subagentId: unknown): FlytoEvent[] {
  return events.flatMap(({ event, data }) =>
    event === "subagent_event" && data.subagent_id === subagentId ? [data as unknown as FlytoEvent] : [],
  );
}

function textsOf(events: readonly FlytoEvent[]) {
  return events.flatMap(({ event, data }) => (event === "text" ? [data.text] : []));
}

function endsOf(events: readonly KodeEnvelope["event"][]) {
  return events.flatMap(({ type, text }) => (type === "text_chunk_end" ? [text] : []));
}

/** What was asked, in order, wherever in the family. */
function requestsIn(log: readonly LoggedEvent[]): { readonly approvalId: string }[] {
  return log.flatMap((event) => {
    if (event.type === "approval-request") return [event];
    return event.type === "subagent-event" ? requestsIn([event.event]) : [];
  });
}
