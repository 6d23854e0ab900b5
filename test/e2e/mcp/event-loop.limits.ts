import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { serveStdio } from "../../../src/faces/mcp-server/stdio/serve-stdio.ts";
import { openWithServers } from "../../capabilities/mcp-client/open-with-servers.ts";
import { casesOf } from "../../support/fuzz.ts";
import { leastBlockMs, maxBlockMs } from "../../support/longest-block.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const messages = casesOf<readonly [string, () => object]>({
  sample: [["a call with long text", () => callOf({ path: "a", content: "-a\n".repeat(300_000) })]],
  full: [
    ["a call with long text", () => callOf({ path: "a", content: "-a\n".repeat(1_000_000) })],
    ["a call with many values", () => callOf(Array.from({ length: 9000 }, (_, index) => [index]))],
    ["a call with many names", () => callOf(Object.fromEntries(Array.from({ length: 19_000 }, named)))],
    ["a long name", () => ({ method: "tools/call", params: { name: "x".repeat(4_000_000), arguments: {} } })],
    ["a long method", () => ({ method: "x".repeat(4_000_000) })],
    ["text for tokens", () => callOf({ path: "a", content: "-eyJaaaaaaaaaaa".repeat(260_000) })],
  ],
});

function callOf(input: unknown): object {
  return { method: "tools/call", params: { name: "file_write", arguments: input } };
}

const named = (_: unknown, index: number) => [`name ${index}`, "value"];

test("no message of a client keeps everybody waiting, however long it is", async () => {
  const { runtime } = await openTestSession({ permissions: { mode: "edit" } });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = "";
  output.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-100_000);
  });
  const stop = new AbortController();
  const serving = serveStdio(runtime, { version: "1", input, output, signal: stop.signal, graceMs: 50 });
  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "test", version: "1" };
  const start = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  say({ id: "start", method: "initialize", params: start });
  say({ method: "notifications/initialized" });
  const slow: string[] = [];
  for (const [what, make] of messages) {
    const body = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: what, ...make() })}\n`);
    const ms = await leastBlockMs(async () => {
      said = "";
      input.write(body);
      say({ id: "alive", method: "ping" });
      for (const id of ["alive", what])
        await expect.poll(() => said, { timeout: 20_000 }).toContain(`"id":"${id}"`);
    });
    if (ms > maxBlockMs) slow.push(`${what}: ${Math.round(ms)} ms`);
  }
  stop.abort();
  await serving;
  expect(slow).toEqual([]);
}, 120_000);

test("no answer of a server keeps everybody waiting, however long it is", async () => {
  const program = fileURLToPath(
    new URL("../../capabilities/mcp-client/fixtures/hostile-server.ts", import.meta.url),
  );
  const { session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { hostile: { command: process.execPath, args: [program, "stdio"] } },
  });
  const slow: string[] = [];
  const manners = casesOf({
    sample: ["many texts"],
    full: ["many values", "many names", "long data", "long text", "many texts", "wide", "giant", "deep"],
  });
  for (const manner of manners) {
    const ms = await leastBlockMs(() => session.call("mcp__hostile__ask", { manner }));
    if (ms > maxBlockMs) slow.push(`${manner}: ${Math.round(ms)} ms`);
  }
  expect(slow).toEqual([]);
}, 120_000);
