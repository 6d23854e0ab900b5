import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const draw = defineTool({
  name: "draw",
  description: "Draws.",
  params: { kind: { type: "string", default: "image/png" } },
  traits: { readOnly: true, concurrencySafe: true },
  run: ({ kind }) => ({
    content: [
      { type: "text", text: "A dot:" },
      { type: "image", data: pixel, mimeType: kind },
    ],
  }),
});

const tools = [draw];

test("images go where each vendor can take them", async () => {
  const { session } = await openTestSession({ tools });
  const url = `data:image/png;base64,${pixel}`;
  const chat = { id: "a", type: "function", function: { name: "draw", arguments: "{}" } };
  expect(await session.handle({ role: "assistant", tool_calls: [chat, { ...chat, id: "b" }] })).toEqual([
    { role: "tool", tool_call_id: "a", content: "A dot:\n[1 image in the next message]" },
    { role: "tool", tool_call_id: "b", content: "A dot:\n[1 image in the next message]" },
    {
      role: "user",
      content: [
        { type: "text", text: "1 image from draw (a):" },
        { type: "image_url", image_url: { url } },
        { type: "text", text: "1 image from draw (b):" },
        { type: "image_url", image_url: { url } },
      ],
    },
  ]);
  expect(
    await session.handle({
      output: [{ type: "function_call", call_id: "a", name: "draw", arguments: "{}" }],
    }),
  ).toEqual([
    {
      type: "function_call_output",
      call_id: "a",
      output: [
        { type: "input_text", text: "A dot:" },
        { type: "input_image", image_url: url, detail: "auto" },
      ],
    },
  ]);
  expect(
    await session.handle({
      role: "assistant",
      content: [{ type: "tool_use", id: "a", name: "draw", input: {} }],
    }),
  ).toMatchObject([
    {
      content: [
        {
          content: [
            { type: "text", text: "A dot:" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
          ],
        },
      ],
    },
  ]);
  expect(await session.handle({ parts: [{ functionCall: { name: "draw", args: {} } }] })).toMatchObject([
    {
      parts: [
        { functionResponse: { response: { output: "A dot:" } } },
        { text: "From draw:" },
        { inlineData: { mimeType: "image/png", data: pixel } },
      ],
    },
  ]);
});

test("an image of a kind that a vendor refuses is replaced by a line about it", async () => {
  const { session } = await openTestSession({ tools });
  const [answer] = await session.handle({
    role: "assistant",
    stop_reason: "tool_use",
    content: [{ type: "tool_use", id: "a", name: "draw", input: { kind: "image/bmp" } }],
  });
  expect(answer?.content[0]?.content).toBe("A dot:\n[an image (image/bmp) that cannot be shown to you]");
});
