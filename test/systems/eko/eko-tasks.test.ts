import { expect, test } from "vitest";
import { type ScriptedStep, scriptedModel } from "../../../src/agent/index.ts";
import { Agent, Eko, type StreamCallbackMessage, type Tool } from "../../../src/systems/eko/index.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

function toolNamed(name: string, execute: Tool["execute"]): Tool {
  return { name, description: `Does ${name}.`, parameters: { type: "object", properties: {} }, execute };
}

const said = (text: string) => ({ content: [{ type: "text", text } as const] });

async function openEko(agents: readonly Agent[], script: Parameters<typeof scriptedModel>[0]) {
  const heard: StreamCallbackMessage[] = [];
  const eko = new Eko({
    llms: { default: scriptedModel(script) },
    agents,
    callback: { onMessage: async (message) => void heard.push(message) },
    toolwright: { workspace: await temporaryFolder(), store: "memory:" },
  });
  return { eko, heard };
}

test("an agent works on a task with its own tools alone, and the callback hears of it in order", async () => {
  const steps: ScriptedStep[] = [{ calls: [{ name: "count", input: {} }] }, { text: "There are three." }];
  const offered: string[][] = [];
  const count = toolNamed("count", async (_, { context }, { toolName, toolCallId }) => {
    const about = { toolName, toolId: toolCallId, streamId: "s", type: "tool_running" };
    await context.config.callback.onMessage({ ...about, text: "counting", streamDone: false });
    return said("3");
  });
  const agent = new Agent({ name: "Counter", description: "Counts.", tools: [count] });
  const { eko, heard } = await openEko([agent], (request) => {
    offered.push(request.tools!.map(({ name }) => name));
    return steps.shift()!;
  });
  expect(await eko.run("How many?", "task-1")).toEqual({
    taskId: "task-1",
    success: true,
    stopReason: "done",
    result: "There are three.",
  });
  expect(offered[0]).toEqual(["count"]);
  const types = heard.map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("tool_"))).toEqual([
    "tool_streaming",
    "tool_use",
    "tool_running",
    "tool_result",
  ]);
  expect(heard.find(({ type }) => type === "tool_result")).toMatchObject({
    taskId: "task-1",
    agentName: "Counter",
    nodeId: "task-1-00",
    toolResult: { content: [{ type: "text", text: "3" }], isError: false },
  });
  expect([types[0], types.at(-1)]).toEqual(["agent_start", "agent_result"]);
});

test("of several agents each has its own tools, and hands its result to the one that plans", async () => {
  const agents = ["Reader", "Writer"].map(
    (name) =>
      new Agent({
        name,
        description: `The ${name}.`,
        tools: [toolNamed(name.toLowerCase(), async () => said("ok"))],
      }),
  );
  const { eko } = await openEko(agents, ({ tools, prompt }) => {
    const names = tools!.map(({ name }) => name);
    const isAnswered = JSON.stringify(prompt.at(-1)).includes("tool-result");
    if (names.includes("writer"))
      return isAnswered ? { text: "Written." } : { calls: [{ name: "writer", input: {} }] };
    expect(names).toHaveLength(1);
    if (isAnswered) return { text: "All done." };
    return { calls: [{ name: names[0]!, input: { prompt: "write it", kind: "Writer" } }] };
  });
  expect(await eko.run("Write.")).toMatchObject({ success: true, result: "All done." });
});

test("a task can be aborted, and what fails is told in the result", async () => {
  const agent = (execute: Tool["execute"]) =>
    new Agent({ name: "One", description: "Does it.", tools: [toolNamed("it", execute)] });
  const started = Promise.withResolvers<void>();
  const stuck = agent(() => {
    started.resolve();
    return new Promise<never>(() => {});
  });
  const { eko } = await openEko([stuck], () => ({ calls: [{ name: "it", input: {} }] }));
  const running = eko.run("Go.", "task-2");
  await started.promise;
  expect(eko.abortTask("task-2")).toBe(true);
  expect(await running).toMatchObject({ success: false, stopReason: "abort" });
  expect(eko.abortTask("task-2")).toBe(false);

  const { eko: failing } = await openEko([agent(async () => said("ok"))], () => {
    throw new Error("out of order");
  });
  expect(await failing.run("Go.")).toMatchObject({
    success: false,
    stopReason: "error",
    error: expect.objectContaining({ message: expect.stringContaining("out of order") }),
  });
});

test("an agent without tools, and no agent at all, are refused", () => {
  expect(() => new Agent({ name: "Idle", description: "Idle.", tools: [] })).toThrow(
    "the agent Idle needs at least one tool",
  );
  expect(() => new Eko({ llms: { default: scriptedModel([]) }, agents: [] })).toThrow("at least one agent");
  expect(() => new Eko({ llms: {}, agents: [] })).toThrow("llms needs a default");
});
