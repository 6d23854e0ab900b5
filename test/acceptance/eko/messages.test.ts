import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { createEkoMessages, type EkoMessage } from "../../../src/interop/index.ts";
import { calling, openTestAgent } from "../../agent/open-agent.ts";

const logs = ["log 1", "log 2", "log 3"];

const run_python = defineTool({
  name: "run_python",
  description: "Tells its log while it runs.",
  params: {},
  traits: { readOnly: true },
  run: (_input, { progress }) => {
    for (const line of logs) progress(line);
    return "done";
  },
});

const node = { taskId: "task-1", agentName: "Coder", nodeId: "node-1" };

/** What a callback is told of an agent that calls the tool twice. */
async function tell(callback?: { onMessage(message: EkoMessage): Promise<void> }): Promise<void> {
  const calls = [{ name: "run_python", id: "first" }];
  const { agent, events } = await openTestAgent([{ calls }, calling("run_python"), { text: "over" }], {
    runtime: { dialect: "eko", tools: [run_python] },
  });
  await agent.run("go");
  const translate = createEkoMessages(node);
  for (const event of await events())
    for (const message of translate(event)) await callback?.onMessage(message);
}

async function running(): Promise<EkoMessage[]> {
  const told: EkoMessage[] = [];
  await tell({ onMessage: async (message) => void told.push(message) });
  return told.filter(({ type }) => type === "tool_running");
}

test("E9: an asynchronous callback is told every message in order, and without one nothing is missing", async () => {
  const types: string[] = [];
  await tell({
    onMessage: async ({ type }) => {
      await Promise.resolve();
      types.push(type);
    },
  });
  const used = ["tool_streaming", "tool_use", "finish", ...Array(4).fill("tool_running"), "tool_result"];
  expect(types).toEqual(["agent_start", ...used, ...used, "text", "text", "finish", "agent_result"]);
  await tell();
});

test("E10: a message about a running tool names task, agent, node, tool and call, and has its text and stream", async () => {
  const [first] = await running();
  expect(first).toEqual({
    streamType: "agent",
    taskId: "task-1",
    agentName: "Coder",
    nodeId: "node-1",
    type: "tool_running",
    toolName: "run_python",
    toolId: "first",
    toolCallId: "first",
    text: "log 1",
    streamId: expect.any(String),
    streamDone: false,
  });
});

test("E11: a call's messages have one stream id, each with its log, and at the end one with the whole text", async () => {
  const messages = await running();
  const [streamId, ...others] = new Set(messages.map((message) => message.streamId));
  expect(others).toHaveLength(1);
  const told = messages
    .filter((message) => message.streamId === streamId)
    .map(({ text, streamDone }) => [text, streamDone]);
  expect(told).toEqual([...logs.map((line) => [line, false]), ["log 1\nlog 2\nlog 3", true]]);
});
