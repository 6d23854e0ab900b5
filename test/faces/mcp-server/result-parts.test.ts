import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { connectClient, serveForTest } from "./serve-for-test.ts";

const everything = defineTool({
  name: "everything",
  description: "Answers with every kind of part",
  params: {},
  traits: { readOnly: true },
  run: () => ({
    content: [
      { type: "text", text: "all:" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource", uri: "file:///a.txt", mimeType: "text/plain", text: "lone \ud800 half" },
      { type: "resource", uri: "file:///b.pdf", blob: "AAAA" },
      { type: "link", uri: "https://example.com/c", name: "c", description: "the rest" },
    ],
  }),
});

const resources = [
  {
    type: "resource",
    resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "lone \ufffd half" },
  },
  { type: "resource", resource: { uri: "file:///b.pdf", blob: "AAAA" } },
];
const words = { type: "text", text: "all:" };
const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
const toldAudio = { type: "text", text: "[audio audio/wav, 3 bytes]" };
const link = { type: "resource_link", uri: "https://example.com/c", name: "c", description: "the rest" };
const toldLink = { type: "text", text: "[c: https://example.com/c] the rest" };

test.each([
  ["2026-07-28", [words, audio, ...resources, link]],
  ["2025-11-25", [words, audio, ...resources, link]],
  ["2025-03-26", [words, audio, ...resources, toldLink]],
  ["2024-11-05", [words, toldAudio, ...resources, toldLink]],
])("a client by protocol %s gets the parts it knows, and the others in words", async (protocol, expected) => {
  const server = await serveForTest({ options: { tools: [everything] } });
  const client = await connectClient(server, { protocol });
  const { content, isError } = await client.callTool({ name: "everything", arguments: {} });
  expect(content).toEqual(expected);
  expect(isError).toBeUndefined();
});

test("bytes that are not in base64 are told of, and do not cost the rest of the result", async () => {
  const broken = defineTool({
    name: "broken",
    description: "Answers with what is no base64",
    params: {},
    traits: { readOnly: true },
    run: () => ({
      content: [
        { type: "text", text: "look" },
        { type: "image", data: "no base64 \u2603", mimeType: "image/png" },
        { type: "audio", data: "A", mimeType: "audio/wav" },
        { type: "resource", uri: "file:///b.pdf", blob: "%PDF-" },
      ],
    }),
  });
  const server = await serveForTest({ options: { tools: [broken] } });
  for (const protocol of ["2026-07-28", "2025-11-25"]) {
    const client = await connectClient(server, { protocol });
    const { content } = await client.callTool({ name: "broken", arguments: {} });
    expect(content).toEqual(
      ["look", "[image image/png, 8 bytes]", "[audio audio/wav, 0 bytes]", "[file:///b.pdf, 3 bytes]"].map(
        (text) => ({ type: "text", text }),
      ),
    );
  }
});
