import { stepCountIs, streamText } from "ai";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { serveModel } from "../../support/model-server/serve-model.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act, echo } from "../../support/sample-tools.ts";

const names = ["anthropic/claude-test", "openai/gpt-test", "google/gemini-3-test", "google/gemini-2.5-test"];

const draw = defineTool({
  name: "draw",
  description: "Draws.",
  params: { kind: { type: "string" } },
  traits: { readOnly: true, concurrencySafe: true },
  run: ({ kind }) => ({ content: [{ type: "image", data: "AAAA", mimeType: kind }] }),
});

test.each(names)("the AI SDK's own loop works with the session's tools on %s", async (name) => {
  const { model, requests } = await serveModel(name, [
    {
      reasoning: "I should look.",
      text: "Let me see.",
      calls: [
        { name: "echo", input: { text: "one" } },
        { name: "echo", input: { text: "" } },
        { name: "act", input: {} },
        { name: "draw", input: { kind: "image/png" } },
        { name: "draw", input: { kind: "image/svg+xml" } },
      ],
    },
    { calls: [{ name: "echo", input: { text: "two" } }] },
    { text: "done" },
  ]);
  const { session } = await openTestSession({ tools: [echo, draw, act], permissions: { mode: "ask" } });
  const { text, steps } = streamText({
    model,
    tools: session.tools({ format: "ai-sdk" }),
    prompt: "go",
    stopWhen: stepCountIs(5),
    maxOutputTokens: 1000,
    providerOptions: { openai: { store: false } },
  });
  expect(await text).toBe("done");
  expect(await steps).toHaveLength(3);
  expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
  const [, second] = requests;
  expect(second!.text).toContain("must be at least 1 character long");
  expect(second!.text).toContain("approval");
  expect(second!.text).toContain("AAAA");
  expect(second!.text).toContain("that cannot be shown to you");
});
