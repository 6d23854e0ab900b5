import type { LanguageModelV4 } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { type Script, type ScriptedStep, scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { Agent, Eko, type StreamCallbackMessage, type Tool } from "../../../src/systems/eko/index.ts";
import { familyModel } from "../../capabilities/agents/sub-agents/family-model.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

function toolNamed(name: string, execute: Tool["execute"]): Tool {
  return { name, description: `Does ${name}.`, parameters: { type: "object", properties: {} }, execute };
}

const said = (text: string) => ({ content: [{ type: "text", text } as const] });

async function openEko(agents: readonly Agent[], script: Script | LanguageModelV4) {
  const heard: StreamCallbackMessage[] = [];
  const eko = new Eko({
    llms: { default: "doStream" in script ? script : scriptedModel(script) },
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

test("of several agents each works with its own tools alone, and hands its result to the one that plans", async () => {
  const ran: string[] = [];
  const agents = ["Reader", "Writer"].map((name) => {
    const tool = toolNamed(name.toLowerCase(), async () => {
      ran.push(name);
      return said("ok");
    });
    return new Agent({ name, description: `The ${name}.`, tools: [tool] });
  });
  const { model, requests } = familyModel({
    PART: [{ calls: [{ name: "writer" }, { name: "reader" }] }, { text: "Written." }],
    PLAN: [
      { calls: [{ name: "agent_run", input: { prompt: "PART", kind: "Writer" } }] },
      { text: "All done." },
    ],
  });
  const { eko } = await openEko(agents, model);
  expect(await eko.run("PLAN")).toMatchObject({ success: true, result: "All done." });
  expect(ran).toEqual(["Writer"]);
  expect(requests.PART![0]!.tools?.map(({ name }) => name)).toEqual(["writer"]);
  expect(JSON.stringify(requests.PLAN![1]!.prompt.at(-1))).toContain("Written.");
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

test("E2: an agent without tools, and no agent at all, are refused", () => {
  expect(() => new Agent({ name: "Idle", description: "Idle.", tools: [] })).toThrow(
    "the agent Idle needs at least one tool",
  );
  expect(() => new Eko({ llms: { default: scriptedModel([]) }, agents: [] })).toThrow("at least one agent");
  expect(() => new Eko({ llms: {}, agents: [] })).toThrow("llms needs a default");
});
