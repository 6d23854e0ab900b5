import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import type { McpServerOptions } from "../../../src/capabilities/mcp-client/index.ts";
import { casesOf } from "../../support/fuzz.ts";
import { leastBlockMs, maxBlockMs } from "../../support/longest-block.ts";
import { openWithServers } from "./open-with-servers.ts";

const program = fileURLToPath(new URL("fixtures/hostile-server.ts", import.meta.url));
const waiting = { timeout: 30_000, interval: 20 };

async function hostile(transport: string): Promise<McpServerOptions> {
  const args = [program, transport];
  if (transport === "stdio") return { command: process.execPath, args };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${Number(line)}/mcp`, type: "http" };
}

async function openWith(transport: string) {
  const { runtime, session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { hostile: await hostile(transport) },
  });
  const status = () => runtime.mcp.servers()[0];
  const call = (manner: string) => session.call("mcp__hostile__ask", { manner }, { timeoutMs: 20_000 });
  return { session, status, call };
}

const floods = casesOf({
  sample: [
    ["stdio", "questions"],
    ["http", "pings"],
  ],
  full: ["stdio", "http"].flatMap((transport) =>
    ["pings", "questions", "nonsense"].map((manner) => [transport, manner]),
  ),
});

test.each(floods)(
  "over %s, a server that floods us with %s and takes no answer is ended, and that is said",
  async (transport = "", manner = "") => {
    const { call, status, session } = await openWith(transport);
    const before = process.memoryUsage().rss;
    expect(await call(manner)).toMatchObject({ status: "failed", error: { code: "unavailable" } });
    await vi.waitFor(() => expect(status()).toMatchObject({ status: "unavailable" }), waiting);
    expect(status()?.reason).toMatch(/^it (?:has more than 100 requests open|sent more than 200 requests)/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    expect(await session.call("file_list", {})).toMatchObject({ status: "done" });
  },
  40_000,
);

test.each(["stdio", "http"])(
  "over %s, an answer that is deep, wide, giant or somebody else's concerns its call alone",
  async (transport) => {
    const { call, status, session } = await openWith(transport);
    for (const manner of ["deep", "wide", "giant"]) {
      expect(await call(manner), manner).toMatchObject({ status: "failed" });
      expect(status(), manner).toMatchObject({ status: "running" });
      expect(await call("lies"), manner).toMatchObject({ status: "done", text: "done" });
    }
    expect(await session.call("file_list", {})).toMatchObject({ status: "done" });
    // A tool that changes under its call cannot be called again unseen.
    expect(await call("changes")).toMatchObject({ status: "done" });
    await vi.waitFor(async () => expect((await call("lies")).status).not.toBe("done"), waiting);
  },
  60_000,
);

const streams = casesOf({
  sample: [["stdio", "reports"]],
  full: ["stdio", "http"].flatMap((transport) =>
    ["reports", "reports after the answer", "blanks", "garbage"].map((manner) => [transport, manner]),
  ),
});

test.each(streams)(
  "over %s, a server that writes %s without end costs nobody but its caller any time",
  async (transport = "", manner = "") => {
    const { runtime, session } = await openWithServers({
      permissions: { mode: "auto", allow: ["@network", "@execute"] },
      mcpServers: { hostile: await hostile(transport) },
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

test("over stdio, what a server prints that is no message ends it, once, and that is said", async () => {
  const { call, status, session } = await openWith("stdio");
  expect(await call("garbage")).toMatchObject({ status: "failed", error: { code: "unavailable" } });
  await vi.waitFor(
    () => expect(status()).toMatchObject({ status: expect.not.stringMatching("running") }),
    45_000,
  );
  expect(await session.call("file_list", {})).toMatchObject({ status: "done" });
});

test("over HTTP, nothing is read for a call that has ended, whether it was answered or not", async () => {
  const server = await hostile("http");
  const { session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { hostile: server },
  });
  const openStreams = async () =>
    Number(await (await fetch(new URL("/open", (server as { url: string }).url))).text());
  for (const manner of ["reports after the answer", "reports", "blanks", "nothing"]) {
    await session.call("mcp__hostile__ask", { manner }, { timeoutMs: 200 });
    await vi.waitFor(async () => expect(await openStreams(), manner).toBe(0), waiting);
  }
});
