import { expect, test } from "vitest";
import { defineTool } from "../../../../src/index.ts";
import { serveModel } from "../../../support/model-server/serve-model.ts";
import { openTestSession } from "../../../support/open-test-session.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const draw = defineTool({
  name: "draw",
  description: "Draws, and says nothing.",
  params: { kind: { type: "string" } },
  traits: { readOnly: true, concurrencySafe: true },
  run: ({ kind }) => ({ content: [{ type: "image", data: pixel, mimeType: kind }] }),
});

/** What a model sees of images of these kinds, each drawn by a call of its own. */
async function showImages(name: string, kinds: readonly string[]) {
  const { model, requests } = await serveModel(name, [
    { calls: kinds.map((kind) => ({ name: "draw", input: { kind } })) },
    { text: "I see" },
  ]);
  const { runtime } = await openTestSession({ tools: [draw], permissions: { mode: "auto" } });
  const result = await runtime.agent({ model, retryDelayMs: 1 }).run("draw");
  return { result, request: requests[1]! };
}

const kinds = ["image/png", "image/gif", "image/svg+xml", "image/heic"];

test.each([
  ["anthropic/claude-test", 2],
  ["openai/gpt-test", 2],
  ["google/gemini-3-test", 1],
  ["google/gemini-2.5-test", 1],
  ["openai-compatible/any-test", 0],
])("%s is shown the images that it can take, and told of the others", async (name, shown) => {
  const { result, request } = await showImages(name, kinds);
  expect(request.problems).toEqual([]);
  expect(result).toMatchObject({ reason: "done", text: "I see" });
  expect(request.text.split(pixel)).toHaveLength(shown + 1);
  expect(request.text.split("that cannot be shown to you")).toHaveLength(kinds.length - shown + 1);
});
