import { expect, test } from "vitest";
import { createEkoMessages, createKodeEvents } from "../../../../src/capabilities/interop/index.ts";
import type { LoggedEvent } from "../../../../src/index.ts";

test("a passage that was cut off is closed, and told again where the model is asked again", async () => {
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

test("a reader who came late to a passage gets the whole of it at its end", () => {
  const place = { sessionId: "s", at: "2026-01-01T00:00:00.000Z", runId: "r", step: 1 } as const;
  const log: LoggedEvent[] = [
    { ...place, channel: "progress", sequence: 7, type: "text-delta", text: "the end" },
    {
      ...place,
      channel: "progress",
      sequence: 8,
      type: "assistant-message",
      content: [{ type: "text", text: "The beginning and the end" }],
      finishReason: "stop",
    },
  ];
  const ends = log.flatMap(createKodeEvents()).filter(({ event }) => event.type === "text_chunk_end");
  expect(ends.map(({ event }) => event.text)).toEqual(["The beginning and the end"]);
});
