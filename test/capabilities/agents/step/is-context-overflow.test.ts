import { expect, test } from "vitest";
import { isContextOverflow } from "../../../../src/capabilities/agents/step/take-step.ts";

function refused(message: string, statusCode = 400) {
  return Object.assign(new Error(message), { statusCode });
}

test.each([
  refused("prompt is too long: 208310 tokens > 200000 maximum"),
  refused(
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length",
  ),
  refused("Request exceeds the maximum size", 413),
  refused(
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  ),
  refused("Your input exceeds the context window of this model. Please adjust your input and try again."),
  refused(
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.",
  ),
  refused("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
  refused("the request exceeds the available context size, try increasing it"),
  refused("Please reduce the length of the messages or completion."),
  refused("This model's maximum prompt length is 131072 but the request contains 150000 tokens."),
  refused("Input is too long for requested model."),
  { type: "error", code: "context_length_exceeded", message: "too much" },
  { type: "error", error: { code: "context_length_exceeded", message: "too much" } },
  { error: { message: "prompt is too long" } },
])("a prompt that is too long is known by what providers say of it: %o", (error) => {
  expect(isContextOverflow(error)).toBe(true);
});

test.each([
  refused("Request too large for this model on tokens per min (TPM)", 429),
  refused("context window", 500),
  refused("tools.3.name: string should match pattern"),
  refused("max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens"),
  new Error("fetch failed"),
  undefined,
  "prompt",
])("another error is not taken for a prompt that is too long: %o", (error) => {
  expect(isContextOverflow(error)).toBe(false);
});
