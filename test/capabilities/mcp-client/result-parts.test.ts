import type { CallToolResult } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { toToolReturn } from "../../../src/capabilities/mcp-client/call/to-tool-return.ts";
import { normalizeResult } from "../../../src/tool/tool-result.ts";
import { connectClient, serveForTest } from "../../faces/mcp-server/serve-for-test.ts";
import { openWithServers, untilConnected } from "./open-with-servers.ts";
import { define, everythingServer, sampleServer } from "./sample-servers.ts";

/** What becomes of a result with these parts. */
function receive(content: readonly object[], more: object = {}) {
  return normalizeResult(toToolReturn({ content, ...more } as CallToolResult));
}

test("recordings, resources and links are handed on as such, and told of in a few words", () => {
  const { content, text } = receive([
    { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "words" } },
    { type: "resource", resource: { uri: "file:///b.pdf", mimeType: "application/pdf", blob: "AAAA" } },
    { type: "resource", resource: { uri: "file:///empty", blob: "" } },
    {
      type: "resource_link",
      uri: "https://example.com/c",
      name: "c",
      title: "C",
      description: "it",
      size: 3,
    },
  ]);
  expect(content).toEqual([
    { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    { type: "resource", uri: "file:///a.txt", mimeType: "text/plain", text: "words" },
    { type: "resource", uri: "file:///b.pdf", mimeType: "application/pdf", blob: "AAAA" },
    { type: "resource", uri: "file:///empty", blob: "" },
    { type: "link", uri: "https://example.com/c", name: "c", title: "C", description: "it", sizeBytes: 3 },
  ]);
  expect(text.split("\n")).toEqual([
    "[audio audio/wav, 3 bytes]",
    "[file:///a.txt]",
    "words",
    "[file:///b.pdf application/pdf, 3 bytes]",
    "[file:///empty, 0 bytes]",
    "[c: https://example.com/c] C it",
  ]);
});

test("names, addresses and texts of parts lose their invisible characters", () => {
  const { content } = receive([
    { type: "resource", resource: { uri: "file:///a\u200b\u202e.txt", text: "w\u001b[31mords" } },
    { type: "resource_link", uri: "https://example.com/\u202ec", name: "c\u0007", description: "i\u200bt" },
  ]);
  expect(content).toEqual([
    { type: "resource", uri: "file:///a.txt", text: "words" },
    { type: "link", uri: "https://example.com/c", name: "c", description: "it" },
  ]);
});

test.each([
  [
    "a recording of no kind",
    { type: "audio", data: "AAAA", mimeType: "a\nb" },
    "[audio left out: no valid MIME type]",
  ],
  [
    "an empty recording",
    { type: "audio", data: "", mimeType: "audio/wav" },
    "[audio left out: not valid base64]",
  ],
  [
    "an address with a space",
    { type: "resource_link", uri: "https://example.com/ c", name: "c" },
    "[link left out: invalid URI]",
  ],
  [
    "an endless address",
    { type: "resource_link", uri: `https://example.com/${"c".repeat(9000)}`, name: "c" },
    "[link left out: invalid URI]",
  ],
  [
    "a resource without an address",
    { type: "resource", resource: { uri: "", text: "words" } },
    "[resource left out: invalid URI]",
  ],
])("a part with %s is left out, with a line about it", (_what, part, told) => {
  const { content } = receive([part, { type: "text", text: "the rest" }]);
  expect(content).toEqual([
    { type: "text", text: told },
    { type: "text", text: "the rest" },
  ]);
});

test("a malformed MIME type is left out, and its part stays", () => {
  const { content } = receive([
    { type: "resource", resource: { uri: "file:///a", mimeType: "<b>", text: "words" } },
    { type: "resource_link", uri: "file:///b", name: "b", mimeType: 'text/plain; charset="utf-8"' },
  ]);
  expect(content).toEqual([
    { type: "resource", uri: "file:///a", text: "words" },
    { type: "link", uri: "file:///b", name: "b", mimeType: 'text/plain; charset="utf-8"' },
  ]);
});

test("a part that is not valid base64 is left out", () => {
  const { text } = receive([
    { type: "audio", data: "AA AA", mimeType: "audio/wav" },
    { type: "audio", data: "AAAAA", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///b", blob: "AA=" } },
  ]);
  const recording = "[audio left out: not valid base64]";
  expect(text).toBe(`${recording}\n${recording}\n[file:///b left out: not valid base64]`);
});

test("parts that are too large, alone or together, are left out, whatever their kind", () => {
  const large = Buffer.alloc(6 * 1024 * 1024).toString("base64");
  const alone = receive([
    { type: "audio", data: large, mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///b", blob: large } },
  ]);
  expect(alone.text).toMatch(
    /^\[audio left out: [\d,]+ bytes is too large\]\n\[file:\/\/\/b left out: [\d,]+ bytes is too large\]$/,
  );
  const middling = Buffer.alloc(4.5 * 1024 * 1024).toString("base64");
  const recordings = Array.from({ length: 4 }, () => ({
    type: "audio",
    data: middling,
    mimeType: "audio/wav",
  }));
  const { content } = receive(recordings);
  expect(content.map(({ type }) => type)).toEqual(["audio", "audio", "audio", "text"]);
  const words = { type: "resource", resource: { uri: "file:///a", text: "x".repeat(3 * 1024 * 1024) } };
  expect(receive([words, words]).text.length).toBeLessThan(4.1 * 1024 * 1024);
});

test("a resource's words in an error are its message", () => {
  const part = { type: "resource", resource: { uri: "file:///a", text: "no such row" } };
  expect(() => receive([part], { isError: true })).toThrow("[file:///a]\nno such row");
});

test("parts of an error other than text stay beside it", async () => {
  const { options } = await sampleServer([define("broken")]);
  const { session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { sample: options },
  });
  const { status, text, content } = await session.call("mcp__sample__broken", {});
  expect(status).toBe("failed");
  expect(text).toBe("[audio audio/wav, 3 bytes]\nlisten");
  expect(content).toEqual([
    { type: "text", text },
    { type: "audio", data: "AAAA", mimeType: "audio/wav" },
  ]);
});

test("parts arrive through the gateway as they left another server, and their links lead through it too", async () => {
  const gateway = await serveForTest({
    options: {
      permissions: { mode: "auto", allow: ["@network", "@execute"] },
      mcpServers: { everything: everythingServer },
    },
  });
  await untilConnected(gateway.runtime);
  const client = await connectClient(gateway);
  const call = (name: string, input: Record<string, unknown>) =>
    client.callTool({ name: `mcp__everything__${name}`, arguments: input });
  const resource = (resourceType: string) =>
    call("get-resource-reference", { resourceType, resourceId: 1 }).then(({ content }) => content[1]);
  expect((await call("get-resource-links", { count: 2 })).content.slice(1)).toEqual([
    {
      type: "resource_link",
      uri: "toolwright://mcp/everything/demo://resource/dynamic/blob/1",
      name: "Blob Resource 1",
      description: "Resource 1: plaintext resource",
      mimeType: "text/plain",
    },
    {
      type: "resource_link",
      uri: "toolwright://mcp/everything/demo://resource/dynamic/text/2",
      name: "Text Resource 2",
      description: "Resource 2: plaintext resource",
      mimeType: "text/plain",
    },
  ]);
  expect(await resource("Text")).toMatchObject({
    type: "resource",
    resource: { uri: "demo://resource/dynamic/text/1", mimeType: "text/plain", text: expect.any(String) },
  });
  expect(await resource("Blob")).toMatchObject({
    type: "resource",
    resource: { uri: "demo://resource/dynamic/blob/1", blob: expect.stringMatching(/^[\w+/]+=*$/) },
  });
});
