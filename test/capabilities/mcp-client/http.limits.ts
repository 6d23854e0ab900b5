import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import type { McpServerOptions } from "../../../src/capabilities/mcp-client/index.ts";
import { listenStreamable } from "./http-servers.ts";
import { openWithServers } from "./open-with-servers.ts";

function openWith(options: McpServerOptions) {
  return openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { remote: options },
  });
}

test("an answer of a hundred megabytes is refused without being held, as JSON and as events", async () => {
  const piece = "x".repeat(1_000_000);
  const url = await listenStreamable(async ({ id, params }, outgoing) => {
    const asEvents = params?.name === "ask" && calls++ > 0;
    outgoing.setHeader("content-type", asEvents ? "text/event-stream" : "application/json");
    const head = `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`;
    outgoing.write(asEvents ? `event: message\ndata: ${head}` : head);
    // Ended by whoever does not want the rest.
    await pipeline(Readable.from(Array(100).fill(piece)), outgoing, { end: false }).catch(() => {});
    outgoing.end(asEvents ? '"}]}}\n\n' : '"}]}}');
    return undefined;
  });
  let calls = 0;
  const { session } = await openWith({ url });
  const before = process.memoryUsage().rss;
  for (const _way of ["JSON", "events"]) {
    const { error } = await session.call("mcp__remote__ask", {});
    expect(error?.message).toContain("the answer is larger than the limit of 10485760 bytes");
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
}, 40_000);
