import { expect, test } from "vitest";
import type { AgentOptions } from "../../../src/agent/agent-options.ts";
import { childOptions } from "../../../src/agent/sub-agents/child-options.ts";
import type { AgentTemplate } from "../../../src/agent/sub-agents/templates/agent-template.ts";
import { type RuntimeOptions, scriptedModel } from "../../../src/index.ts";

const clock = { pause() {}, resume() {} };
const gateway = "http://127.0.0.1:1/v1";

function optionsFor({
  sender,
  agents,
  model,
  template,
}: {
  sender?: AgentOptions;
  agents?: NonNullable<RuntimeOptions["agents"]>;
  model?: string;
  template?: Partial<AgentTemplate>;
}): AgentOptions {
  const { signal } = new AbortController();
  return childOptions(
    { options: { ...(agents && { agents }) } },
    {
      id: "agent_1",
      task: { prompt: "go", ...(model !== undefined && { model }) },
      sender: { callId: "call_1", signal, clock, ...(sender && { options: sender }) },
      isAwaited: true,
    },
    template && { name: "reader", description: "Reads.", ...template },
  );
}

test("without a model of its own it has its sender's, at the same address and with all that is meant for it", () => {
  const sender = { model: "openai/large", baseUrl: gateway, contextTokens: 5000, reasoning: "high" } as const;
  const agents = { model: "anthropic/other", baseUrl: "http://127.0.0.1:2" };
  expect(optionsFor({ sender, agents })).toMatchObject(sender);
  expect(optionsFor({ sender, agents, template: { model: "inherit" } })).toMatchObject(sender);
});

test("the address of one model is not that of another provider's", () => {
  const agents = { model: "openai-compatible/llama", baseUrl: gateway };
  expect(optionsFor({ sender: { model: "anthropic/large" }, agents })).not.toHaveProperty("baseUrl");
  const sender = { model: "openai/large", baseUrl: gateway };
  const templates = { reader: { description: "Reads.", model: "anthropic/large" } };
  const fromCode = { sender, agents: { templates }, template: templates.reader };
  expect(optionsFor(fromCode)).toMatchObject({ model: "anthropic/large" });
  expect(optionsFor(fromCode)).not.toHaveProperty("baseUrl");
  expect(optionsFor({ sender: { model: scriptedModel([]) }, agents })).not.toHaveProperty("baseUrl");
});

test.each([
  { sender: "openai/large", wanted: "openai/small" },
  { sender: "openai-compatible/llama", wanted: "openai-compatible/qwen" },
  { sender: "meta/llama", wanted: "alibaba/qwen" },
  { sender: "openai-compatible/llama", wanted: "qwen" },
])("$wanted is reached where $sender is, and not elsewhere", ({ sender, wanted }) => {
  const options = optionsFor({
    sender: { model: sender, baseUrl: gateway, contextTokens: 5000 },
    model: wanted,
  });
  expect(options).toMatchObject({ model: wanted, baseUrl: gateway });
  expect(options).not.toHaveProperty("contextTokens");
});

test("neither a model nor a file sends what an agent reads to another provider; code does", () => {
  const sender = { model: "openai/large" };
  const elsewhere = "anthropic/large";
  const refused = /is a model of another provider/;
  expect(() => optionsFor({ sender, model: elsewhere })).toThrow(refused);
  expect(() => optionsFor({ sender, template: { model: elsewhere } })).toThrow(refused);
  expect(() => optionsFor({ sender: { model: scriptedModel([]) }, model: elsewhere })).toThrow(refused);
  const agents = { model: "anthropic/small" };
  expect(optionsFor({ sender, agents, model: elsewhere })).toMatchObject({ model: elsewhere });
  expect(optionsFor({ sender, template: { model: "openai/small" } })).toMatchObject({
    model: "openai/small",
  });
});

test("its steps are its own, and neither its sender's budget nor when that is to stop", () => {
  const sender = { model: "openai/large", maxSteps: 3, budget: { tokens: 5 }, stopWhen: () => true };
  const options = optionsFor({ sender, template: { maxSteps: 7 } });
  expect(options).toMatchObject({ maxSteps: 7, name: "reader agent_1" });
  expect(options).not.toHaveProperty("budget");
  expect(options).not.toHaveProperty("stopWhen");
  expect(optionsFor({ sender })).toMatchObject({ maxSteps: 50 });
});
