import { expect, test } from "vitest";
import { casesOf } from "../../support/fuzz.ts";
import { leastBlockMs, maxBlockMs } from "../../support/longest-block.ts";
import { floods, openHostilePeer, startHostileServer } from "./open-hostile-peer.ts";
import { openWithServers } from "./open-with-servers.ts";

const streams = casesOf({
  sample: [["stdio", "reports"]],
  full: ["stdio", "http"].flatMap((transport) =>
    ["reports", "reports after the answer", "blanks", "garbage"].map((manner) => [transport, manner]),
  ),
});

test.each(streams)(
  "over %s, a server that writes %s without end costs no other caller any time",
  async (transport = "", manner = "") => {
    const { runtime, session } = await openWithServers({
      permissions: { mode: "auto", allow: ["@network", "@execute"] },
      mcpServers: { hostile: await startHostileServer(transport) },
    });
    const call = session.call("mcp__hostile__ask", { manner }, { timeoutMs: 400 });
    const spent = await leastBlockMs(async () => {
      for (let calls = 0; calls < 10; calls += 1)
        expect(await session.call("file_list", {})).toMatchObject({ status: "done" });
    });
    expect(spent).toBeLessThan(maxBlockMs);
    const { status } = await call;
    expect(status === "done").toBe(manner === "reports after the answer");
    const before = performance.now();
    await runtime.close();
    expect(performance.now() - before).toBeLessThan(10_000);
  },
  40_000,
);

test.each(floods)(
  "over %s, a server that floods us with %s and takes no answer takes little memory",
  async (transport = "", manner = "") => {
    const { call } = await openHostilePeer(transport);
    const before = process.memoryUsage().rss;
    expect(await call(manner)).toMatchObject({ status: "failed" });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  },
  40_000,
);
