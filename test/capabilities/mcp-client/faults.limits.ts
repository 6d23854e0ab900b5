import { expect, test } from "vitest";
import type { McpServerOptions } from "../../../src/capabilities/mcp-client/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { openWithServers } from "./open-with-servers.ts";
import { define, rawServer, sampleServer } from "./sample-servers.ts";

function openWith(mcpServers: Record<string, McpServerOptions>) {
  return openWithServers({ permissions: { mode: "auto", allow: ["@network", "@execute"] }, mcpServers });
}

test("a result of a hundred megabytes is refused without being held", async () => {
  const { options } = await sampleServer([define("huge")]);
  const { session } = await openWith({ sample: options });
  await session.call("mcp__sample__huge", { bytes: 10 });
  const before = process.memoryUsage().rss;
  const result = await session.call("mcp__sample__huge", { bytes: 100_000_000 });
  expect(result.error?.message).toMatch(/the answer has 10\d{7} bytes; the limit is/);
  expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024);
}, 30_000);

test("a server that never answers does not hold up the start", async () => {
  const { options } = await sampleServer([define("echo")]);
  const startedAt = performance.now();
  const mcpServers = { silent: rawServer("silent"), sample: options };
  const { runtime } = await openTestSession({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers,
  });
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(runtime.mcp.servers()).toHaveLength(2);
}, 30_000);
