import { expect, test } from "vitest";
import {
  type SubAgentOptions,
  subAgentOptions,
} from "../../../../src/capabilities/agents/sub-agents/sub-agent-options.ts";

const check = (options: unknown) => subAgentOptions.agents.check!(options as SubAgentOptions);

test("the option agents may have every field, or none", () => {
  const options = {
    model: "anthropic/some-model",
    baseUrl: "http://127.0.0.1:1/v1",
    maxDepth: 0,
    maxRunning: 1,
    maxSteps: Number.POSITIVE_INFINITY,
    templates: { reader: { description: "Reads" } },
  } satisfies SubAgentOptions;
  expect(() => check(options)).not.toThrow();
  expect(() => check({})).not.toThrow();
});

test.each([
  [[], "agents must be an object"],
  [{ maxDepth: -1 }, "agents.maxDepth must be a number of at least 0; received -1"],
  [{ maxRunning: 0 }, "agents.maxRunning must be a number of at least 1; received 0"],
  [{ maxSteps: "5" }, "agents.maxSteps must be a number of at least 1"],
  [{ model: "" }, "model must be an AI SDK language model"],
  [{ baseUrl: 5 }, "agents.baseUrl must be a string; received 5"],
  [{ templates: { reader: {} } }, "agents.templates.reader.description must be a string"],
])("the option agents refuses %j", (options, message) => {
  expect(() => check(options)).toThrow(TypeError);
  expect(() => check(options)).toThrow(message);
});
