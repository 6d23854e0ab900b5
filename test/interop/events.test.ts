import { expect, test } from "vitest";
import {
  createEkoMessages,
  createFlytoEvents,
  createKodeEvents,
  defineTool,
  formatServerSentEvent,
  type LoggedEvent,
} from "../../src/index.ts";
import { openTestAgent } from "../agent/open-agent.ts";

const talk = defineTool({
  name: "talk",
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
      { reasoning: "let me think", text: "I will talk.", calls: [{ name: "talk" }, { name: "late" }] },
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
  expect(result).toMatchObject({ tool_use_id: used.id, name: "talk", output: "over", is_error: false });
  expect(formatServerSentEvent(events[0]!, 4)).toBe('id: 4\nevent: turn_start\ndata: {"turn":1}\n\n');
});

test("the log gives KODE's three channels, with its alerts and its own events of tools", async () => {
  const envelopes = (await log()).flatMap(createKodeEvents());
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
  const { event: custom, bookmark } = envelopes.find(({ event }) => event.type === "tool_custom_event")!;
  expect(custom).toMatchObject({
    channel: "monitor",
    toolName: "talk",
    eventType: "measured",
    data: { width: 3 },
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
  expect(running[0]).toMatchObject({ ...sender, toolName: "talk", toolId: running[0]!.toolCallId });
  const texts = messages.filter(({ type }) => type === "text");
  expect(texts.map(({ text, streamDone }) => [text, streamDone])).toEqual([
    ["I will talk.", false],
    ["I will talk.", true],
    ["That is all.", false],
    ["That is all.", true],
  ]);
  expect(texts[0]!.streamId).toBe(texts[1]!.streamId);
});
