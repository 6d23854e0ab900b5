import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { McpServerStatus } from "../../../src/index.ts";
import { mayBeToolOf, offeredName, shortNames } from "../../../src/mcp/client/tool-names.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { define, rawServer, sampleServer } from "./sample-servers.ts";

async function openWithSlow() {
  const { options } = await sampleServer([define("echo")]);
  const leave = join(await temporaryFolder(), "leave");
  const script = 'until test -e "$0"; do sleep 0.1; done; exec "$@"';
  const args = ["-c", script, leave, options.command, ...(options.args ?? [])];
  const opened = await openTestSession({
    permissions: { mode: "auto" },
    mcpServers: { slow: { command: "sh", args }, gone: rawServer("complaining") },
    mcpWaitMs: 0,
  });
  return { ...opened, allow: () => writeFile(leave, "") };
}

test("who waits until the servers are ready finds their tools, and those that cannot be are no reason to wait", async () => {
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

test("the waiting ends with its signal, with the runtime, and at once where there is nothing to wait for", async () => {
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

test("a name leads to every server that it could be of, however long", () => {
  const tool = "echo";
  for (const server of ["a", "a_b", "_a", "x".repeat(45), "x".repeat(64)]) {
    expect(mayBeToolOf(server, offeredName(server, tool))).toBe(true);
    for (const name of shortNames(server, tool)) expect(mayBeToolOf(server, name)).toBe(true);
  }
  expect(["a", "a_b", "b", "_a"].filter((server) => mayBeToolOf(server, "mcp_a_b_echo"))).toEqual([
    "a",
    "a_b",
  ]);
  expect(["a", "a_b", "b", "_a"].filter((server) => mayBeToolOf(server, "mcp__a__echo"))).toEqual(["a"]);
  expect(mayBeToolOf("a", "file_read")).toBe(false);
});
