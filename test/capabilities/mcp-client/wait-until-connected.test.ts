import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { McpServerOptions, McpServerStatus } from "../../../src/capabilities/mcp-client/index.ts";
import { couldBeToolOf, offeredName, shortNames } from "../../../src/capabilities/mcp-client/server-names.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { define, rawServer, sampleServer } from "./sample-servers.ts";

const waiting = { timeout: 30_000, interval: 50 };

async function openWithSlow() {
  const { options } = await sampleServer([define("echo")]);
  const leave = join(await temporaryFolder(), "leave");
  const script = 'until test -e "$0"; do sleep 0.1; done; exec "$@"';
  const args = ["-c", script, leave, options.command, ...(options.args ?? [])];
  const opened = await openTestSession({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { slow: { command: "sh", args }, gone: rawServer("complaining") },
    mcpStart: "when-needed",
  });
  return { ...opened, allow: () => writeFile(leave, "") };
}

test("waiting until the servers are ready finds their tools, and does not wait for those that cannot be reached", async () => {
  const { session, runtime, allow } = await openWithSlow();
  const waitedFor: McpServerStatus[] = [];
  const ready = runtime.mcp.ready({ onWait: (server) => waitedFor.push(server) });
  expect((await session.call("mcp__slow__echo", {})).error?.code).toBe("unavailable");
  await runtime.mcp.ready({ tool: "mcp__gone__ask" });
  expect(runtime.mcp.servers()).toMatchObject([{ status: "connecting" }, { status: "unavailable" }]);
  await allow();
  await ready;
  expect(waitedFor.map(({ name, status }) => [name, status])).toContainEqual(["slow", "connecting"]);
  expect((await session.call("mcp__slow__echo", { a: 1 })).text).toBe('{"a":1}');
}, 30_000);

test("a server with mcpStart when-needed is started by calls and searches of its tools, and by nothing else", async () => {
  const { options } = await sampleServer([define("echo")]);
  const folder = await temporaryFolder();
  const starting = (name: string): McpServerOptions => {
    const args = [
      "-c",
      'touch "$0"; exec "$@"',
      join(folder, name),
      options.command,
      ...(options.args ?? []),
    ];
    return { command: "sh", args };
  };
  const { session, runtime } = await openTestSession({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { called: starting("called"), searched: starting("searched") },
    mcpStart: "when-needed",
  });
  await session.call("file_list", { path: "." });
  expect(runtime.mcp.servers()).toMatchObject([{ status: "idle" }, { status: "idle" }]);
  expect(await readdir(folder)).toEqual([]);

  const early = await session.call("mcp__called__echo", {});
  expect(early.error).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("it is still connecting"),
  });
  await runtime.mcp.ready({ tool: "mcp__called__echo" });
  expect((await session.call("mcp__called__echo", {})).status).toBe("done");
  expect(await readdir(folder)).toEqual(["called"]);

  await vi.waitFor(async () => {
    const found = await session.searchTools("echo", { limit: 10 });
    expect(found.map(({ name }) => name)).toContain("mcp__searched__echo");
  }, waiting);
}, 60_000);

test("waiting until servers are ready ends with its signal, with the runtime, and at once where there is nothing to wait for", async () => {
  const { runtime } = await openWithSlow();
  await runtime.mcp.ready({ signal: AbortSignal.abort() });
  await runtime.mcp.ready({ signal: AbortSignal.timeout(10) });
  await runtime.mcp.ready({ tool: "mcp__other__echo" });
  expect(runtime.mcp.servers()).toContainEqual(
    expect.objectContaining({ name: "slow", status: "connecting" }),
  );
  const ready = runtime.mcp.ready();
  await runtime.close();
  await ready;
  await (await openTestSession()).runtime.mcp.ready();
}, 30_000);

test("the name of a tool leads to every server that could have it, however long", () => {
  const tool = "echo";
  for (const server of ["a", "a_b", "_a", "x".repeat(45), "x".repeat(64)]) {
    expect(couldBeToolOf(server, offeredName(server, tool))).toBe(true);
    for (const name of shortNames(server, tool)) expect(couldBeToolOf(server, name)).toBe(true);
  }
  expect(["a", "a_b", "b", "_a"].filter((server) => couldBeToolOf(server, "mcp_a_b_echo"))).toEqual([
    "a",
    "a_b",
  ]);
  expect(["a", "a_b", "b", "_a"].filter((server) => couldBeToolOf(server, "mcp__a__echo"))).toEqual(["a"]);
  expect(couldBeToolOf("a", "file_read")).toBe(false);
});
