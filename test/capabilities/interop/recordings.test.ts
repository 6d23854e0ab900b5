import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const listen = defineTool({
  name: "listen",
  description: "Listens.",
  params: { kind: { type: "string", default: "audio/wav" } },
  traits: { readOnly: true, concurrencySafe: true },
  run: ({ kind }) => ({
    content: [
      { type: "text", text: "Heard:" },
      { type: "audio", data: "AAAA", mimeType: kind },
      { type: "resource", uri: "file:///a.txt", text: "birds" },
      { type: "link", uri: "https://example.com/b", name: "more" },
    ],
  }),
});

const words = "[file:///a.txt]\nbirds\n[more: https://example.com/b]";
const told = (kind: string) => `Heard:\n[a recording (${kind}) that cannot be played to you]\n${words}`;

test("a model that hears is given the recording", async () => {
  const { session } = await openTestSession({ tools: [listen] });
  expect(await session.handle({ parts: [{ functionCall: { name: "listen", args: {} } }] })).toMatchObject([
    {
      parts: [
        { functionResponse: { response: { output: `Heard:\n${words}` } } },
        { text: "From listen:" },
        { inlineData: { mimeType: "audio/wav", data: "AAAA" } },
      ],
    },
  ]);
});

test("a recording of a kind that the model does not take is replaced by a line about it", async () => {
  const { session } = await openTestSession({ tools: [listen] });
  const call = { functionCall: { name: "listen", args: { kind: "audio/midi" } } };
  expect(await session.handle({ parts: [call] })).toMatchObject([
    { parts: [{ functionResponse: { response: { output: told("audio/midi") } } }] },
  ]);
});

test("models of other vendors get a line about a recording, and read resources and links", async () => {
  const { session } = await openTestSession({ tools: [listen] });
  const chat = { id: "a", type: "function", function: { name: "listen", arguments: "{}" } };
  const output = told("audio/wav");
  expect(await session.handle({ role: "assistant", tool_calls: [chat] })).toEqual([
    { role: "tool", tool_call_id: "a", content: output },
  ]);
  const item = { type: "function_call", call_id: "a", name: "listen", arguments: "{}" };
  expect(await session.handle({ output: [item] })).toEqual([
    { type: "function_call_output", call_id: "a", output },
  ]);
  const use = { type: "tool_use", id: "a", name: "listen", input: {} };
  expect(await session.handle({ role: "assistant", content: [use] })).toMatchObject([
    { content: [{ content: output }] },
  ]);
  const part = { type: "tool-call", toolCallId: "a", toolName: "listen", input: {} };
  expect(await session.handle({ role: "assistant", content: [part] })).toMatchObject([
    { content: [{ output: { type: "text", value: output } }] },
  ]);
});

test("an MCP client is given every part as it is", async () => {
  const { session } = await openTestSession({ tools: [listen] });
  expect(await session.handle({ method: "tools/call", params: { name: "listen", arguments: {} } })).toEqual([
    {
      content: [
        { type: "text", text: "Heard:" },
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "file:///a.txt", text: "birds" } },
        { type: "resource_link", uri: "https://example.com/b", name: "more" },
      ],
    },
  ]);
});
