import { expect, test } from "vitest";
import type { StreamCallbackMessage } from "../../../src/systems/eko/index.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { runEko, success, toolThat } from "./run-eko.ts";

const logs = ["log 1", "log 2", "log 3"];

/** Tells its log while it runs, as the document does. */
const run_python = toolThat("run_python", async (_args, agentContext, toolCall) => {
  const callback = agentContext.context.config.callback || { onMessage: async () => {} };
  const streamId = crypto.randomUUID();
  const tell = (text: string, streamDone: boolean) =>
    callback.onMessage({
      taskId: agentContext.context.taskId,
      agentName: agentContext.agent.Name,
      nodeId: agentContext.agentChain.agent.id,
      type: "tool_running",
      toolName: toolCall.toolName,
      toolId: toolCall.toolCallId,
      text,
      streamId,
      streamDone,
    });
  for (const line of logs) await tell(line, false);
  await tell(logs.join("\n"), true);
  return success;
});

const script = [{ calls: [{ name: "run_python", id: "first" }] }, calling("run_python")];

/** What a callback is told of an agent that calls the tool twice. */
async function told(): Promise<StreamCallbackMessage[]> {
  const messages: StreamCallbackMessage[] = [];
  await runEko([run_python], script, {
    onMessage: async (message) => {
      await Promise.resolve();
      messages.push(message);
    },
  });
  return messages;
}

test("E9: a tool tells the callback of its context, which is asynchronous and may be missing", async () => {
  const types = (await told()).map(({ type }) => type);
  const call = ["tool_streaming", "tool_use", "finish", ...Array(4).fill("tool_running"), "tool_result"];
  expect(types).toEqual(["agent_start", ...call, ...call, "text", "text", "finish", "agent_result"]);
  await runEko([run_python], script);
});

test("E10: a message about a running tool names task, agent, node, tool and call, and has its text and stream", async () => {
  const messages = await told();
  const nodes = new Set(messages.map(({ nodeId }) => nodeId));
  expect(nodes.size).toBe(1);
  expect(messages.find(({ type }) => type === "tool_running")).toEqual({
    taskId: "task-1",
    agentName: "Coder",
    nodeId: [...nodes][0],
    type: "tool_running",
    toolName: "run_python",
    toolId: "first",
    text: "log 1",
    streamId: expect.any(String),
    streamDone: false,
  });
});

test("E11: a call's messages have one stream id, each with its log, and at the end one with the whole text", async () => {
  const running = (await told()).filter(({ type }) => type === "tool_running");
  expect(new Set(running.map(({ streamId }) => streamId)).size).toBe(2);
  const first = running.filter(({ toolId }) => toolId === "first");
  expect(new Set(first.map(({ streamId }) => streamId)).size).toBe(1);
  expect(first.map(({ text, streamDone }) => [text, streamDone])).toEqual([
    ["log 1", false],
    ["log 2", false],
    ["log 3", false],
    ["log 1\nlog 2\nlog 3", true],
  ]);
});
