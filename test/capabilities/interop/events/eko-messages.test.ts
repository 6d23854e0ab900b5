import { expect, test } from "vitest";
import { createEkoMessages } from "../../../../src/capabilities/interop/index.ts";
import { logOfAgent } from "./log-of-agent.ts";

test("the log gives Eko's messages, with one stream id for what a tool tells and the whole of it at the end", async () => {
  const sender = { taskId: "task-1", agentName: "Tester", nodeId: "node-1" };
  const messages = (await logOfAgent()).flatMap(createEkoMessages(sender));
  expect(new Set(messages.map(({ type }) => type))).toEqual(
    new Set([
      "agent_start",
      "thinking",
      "text",
      "tool_streaming",
      "tool_use",
      "permission_request",
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
