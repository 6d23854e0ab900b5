import { expect, test } from "vitest";
import type { AgentOptions } from "../../../../src/capabilities/agents/agent-options.ts";
import { scriptedModel } from "../../../../src/capabilities/agents/index.ts";
import { childOptions } from "../../../../src/capabilities/agents/sub-agents/child-options.ts";
import type { AgentTemplate } from "../../../../src/capabilities/agents/sub-agents/templates/agent-template.ts";
import type { RuntimeOptions } from "../../../../src/index.ts";

const clock = { pause() {}, resume() {} };
const gateway = "http://127.0.0.1:1/v1";

function optionsFor({
  parent,
  agents,
  model,
  template,
}: {
  parent?: AgentOptions;
  agents?: NonNullable<RuntimeOptions["agents"]>;
  model?: string;
  template?: Partial<AgentTemplate>;
}): AgentOptions {
  const { signal } = new AbortController();
  return childOptions(
    { options: { ...(agents && { agents }) } },
    {
      id: "agent_1",
      title: "",
      task: { prompt: "go", ...(model !== undefined && { model }) },
      parent: {
        callId: "call_1",
        caller: { kind: "code", name: "test" },
        signal,
        clock,
        ...(parent && { options: parent }),
      },
      isAwaited: true,
    },
    template && { name: "reader", description: "Reads.", ...template },
  );
}

test("a sub-agent without a named model has its parent's, at the same address and with all options for that model", () => {
  const parent = { model: "openai/large", baseUrl: gateway, contextTokens: 5000, reasoning: "high" } as const;
  const agents = { model: "anthropic/other", baseUrl: "http://127.0.0.1:2" };
  expect(optionsFor({ parent, agents })).toMatchObject(parent);
  expect(optionsFor({ parent, agents, template: { model: "inherit" } })).toMatchObject(parent);
});

test("the address of one provider's model is not used for a model of another", () => {
  const agents = { model: "openai-compatible/llama", baseUrl: gateway };
  expect(optionsFor({ parent: { model: "anthropic/large" }, agents })).not.toHaveProperty("baseUrl");
  const parent = { model: "openai/large", baseUrl: gateway };
  const templates = { reader: { description: "Reads.", model: "anthropic/large" } };
  const fromCode = { parent, agents: { templates }, template: templates.reader };
  expect(optionsFor(fromCode)).toMatchObject({ model: "anthropic/large" });
  expect(optionsFor(fromCode)).not.toHaveProperty("baseUrl");
  expect(optionsFor({ parent: { model: scriptedModel([]) }, agents })).not.toHaveProperty("baseUrl");
});

test.each([
  { parent: "openai/large", wanted: "openai/small" },
  { parent: "openai-compatible/llama", wanted: "openai-compatible/qwen" },
  { parent: "meta/llama", wanted: "alibaba/qwen" },
  { parent: "openai-compatible/llama", wanted: "qwen" },
])(
  "the sub-agent's model $wanted is reached at the address of its parent's model $parent",
  ({ parent, wanted }) => {
    const options = optionsFor({
      parent: { model: parent, baseUrl: gateway, contextTokens: 5000 },
      model: wanted,
    });
    expect(options).toMatchObject({ model: wanted, baseUrl: gateway });
    expect(options).not.toHaveProperty("contextTokens");
  },
);

test("a model of another provider can be chosen in code, and neither by a model nor in a file", () => {
  const parent = { model: "openai/large" };
  const elsewhere = "anthropic/large";
  const refused = /is from another provider/;
  expect(() => optionsFor({ parent, model: elsewhere })).toThrow(refused);
  expect(() => optionsFor({ parent, template: { model: elsewhere } })).toThrow(refused);
  expect(() => optionsFor({ parent: { model: scriptedModel([]) }, model: elsewhere })).toThrow(refused);
  const agents = { model: "anthropic/small" };
  expect(optionsFor({ parent, agents, model: elsewhere })).toMatchObject({ model: elsewhere });
  expect(optionsFor({ parent, template: { model: "openai/small" } })).toMatchObject({
    model: "openai/small",
  });
});

test("a sub-agent has its own limit of steps, and neither its parent's budget nor its parent's stop condition", () => {
  const parent = { model: "openai/large", maxSteps: 3, budget: { tokens: 5 }, stopWhen: () => true };
  const options = optionsFor({ parent, template: { maxSteps: 7 } });
  expect(options).toMatchObject({ maxSteps: 7, name: "reader agent_1" });
  expect(options).not.toHaveProperty("budget");
  expect(options).not.toHaveProperty("stopWhen");
  expect(optionsFor({ parent })).toMatchObject({ maxSteps: 50 });
});
