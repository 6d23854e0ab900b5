import { tool as langChainTool } from "@langchain/core/tools";
import { tool as agentsTool, RunContext } from "@openai/agents-core";
import { tool as aiSdkTool, jsonSchema } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fromAiSdk, fromLangChain, fromOpenAiAgents } from "../../../../src/capabilities/interop/index.ts";
import type { RuntimeOptions } from "../../../../src/index.ts";
import type { AnyTool } from "../../../../src/tool/define-tool.ts";
import { openTestSession } from "../../../support/open-test-session.ts";

function openWith(tools: readonly AnyTool[], options: RuntimeOptions = {}) {
  return openTestSession({ permissions: { mode: "auto" }, tools, ...options });
}

const city = z.object({ city: z.string().describe("Which one"), days: z.number().default(1) });
const png = "iVBORw0KGgo=";

describe("tools made with the AI SDK", () => {
  const tools = fromAiSdk({
    weather: aiSdkTool({
      description: "The weather.",
      inputSchema: city,
      execute: async ({ city, days }, { toolCallId, abortSignal }) => ({
        city,
        days,
        isCall: toolCallId.startsWith("call_"),
        isSignal: abortSignal instanceof AbortSignal,
      }),
    }),
    plain: aiSdkTool({
      inputSchema: jsonSchema<{ a: number }>({ type: "object", properties: { a: { type: "number" } } }),
      execute: async ({ a }) => `a is ${a}`,
      toModelOutput: ({ output }) => ({ type: "text", value: output.toUpperCase() }),
    }),
    slow: aiSdkTool({
      inputSchema: z.object({}),
      async *execute() {
        yield "half";
        yield "whole";
      },
    }),
    picture: aiSdkTool({
      inputSchema: z.object({}),
      execute: async () => png,
      toModelOutput: ({ output }) => ({
        type: "content",
        value: [{ type: "file", mediaType: "image/png", data: { type: "data", data: output } }],
      }),
    }),
    broken: aiSdkTool({
      inputSchema: z.object({}),
      execute: async () => "x",
      toModelOutput: () => ({ type: "error-text", value: "it broke" }),
    }),
  });

  test("run with checked arguments, a call's id and its signal", async () => {
    const { session } = await openWith(tools);
    const { data } = await session.call("weather", { city: "Oslo" });
    expect(data).toEqual({ city: "Oslo", days: 1, isCall: true, isSignal: true });
    expect(await session.call("weather", { city: 5 })).toMatchObject({ error: { code: "invalid-input" } });
    expect(await session.call("plain", { a: 1 })).toMatchObject({ text: "A IS 1", data: "a is 1" });
  });

  test("may yield on the way, show images, and say that they failed", async () => {
    const { session } = await openWith(tools);
    const updates: unknown[] = [];
    const slow = await session.call("slow", {}, { onProgress: (update) => void updates.push(update) });
    expect([slow.text, updates]).toEqual(["whole", ["half", "whole"]]);
    expect((await session.call("picture")).content).toEqual([
      { type: "image", data: png, mimeType: "image/png" },
    ]);
    expect(await session.call("broken")).toMatchObject({ status: "failed", error: { message: "it broke" } });
  });

  test("that only a model's provider can run are refused", () => {
    expect(() => fromAiSdk({ it: aiSdkTool({ inputSchema: z.object({}) }) })).toThrow("without execute");
  });
});

describe("tools made with LangChain", () => {
  const tools = fromLangChain([
    langChainTool(async ({ city, days }) => ({ city, days }), {
      name: "weather",
      description: "The weather.",
      schema: city.extend({ days: z.string().transform(Number) }),
    }),
    langChainTool(async () => ["short", { rows: 3 }], {
      name: "report",
      description: "A report.",
      schema: z.object({}),
      responseFormat: "content_and_artifact",
    }),
    langChainTool(
      async () => {
        throw new Error("no network");
      },
      { name: "broken", description: "Breaks.", schema: { type: "object", properties: {} } },
    ),
  ]);

  test("run with their own conversions, once", async () => {
    const { session } = await openWith(tools);
    expect(await session.call("weather", { city: "Oslo", days: "3" })).toMatchObject({
      status: "done",
      data: { city: "Oslo", days: 3 },
    });
    expect(await session.call("weather", {})).toMatchObject({ error: { code: "invalid-input" } });
  });

  test("keep what is for code apart from what is for the model, and fail clearly", async () => {
    const { session } = await openWith(tools);
    expect(await session.call("report")).toMatchObject({ text: "short", data: { rows: 3 } });
    expect(await session.call("broken")).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("no network") },
    });
  });
});

describe("tools made with the OpenAI Agents SDK", () => {
  const weather = agentsTool({
    name: "weather",
    description: "The weather.",
    parameters: z.object({ city: z.string() }),
    execute: async ({ city }, runContext?: RunContext<{ user: string }>) =>
      `${city} for ${runContext?.context.user}`,
  });
  const runContext = new RunContext({ user: "Ann" });

  test("run with the context of their run", async () => {
    const { session } = await openWith(fromOpenAiAgents([weather], { runContext }));
    expect(await session.call("weather", { city: "Oslo" })).toMatchObject({
      status: "done",
      text: "Oslo for Ann",
    });
    expect(await session.call("weather", {})).toMatchObject({ error: { code: "invalid-input" } });
  });

  test("that want approval get it from the person, or do not run", async () => {
    let ran = 0;
    const careful = agentsTool({
      name: "careful",
      description: "Asks first.",
      parameters: z.object({}),
      needsApproval: true,
      execute: async () => String(++ran),
    });
    for (const [approve, status] of [
      [false, "failed"],
      [true, "done"],
    ] as const) {
      const { session } = await openWith(fromOpenAiAgents([careful], { runContext }), {
        onQuestion: () => ({ approve }),
      });
      expect((await session.call("careful")).status).toBe(status);
      expect(ran).toBe(approve ? 1 : 0);
    }
  });
});
