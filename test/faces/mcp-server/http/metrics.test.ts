import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/open-test-session.ts";
import { connectClient, serveForTest } from "../serve-for-test.ts";

test("metrics count calls by tool and outcome, and are for clients with a token", async () => {
  const server = await serveForTest();
  const client = await connectClient(server);
  for (const text of ["a", "b"]) await client.callTool({ name: "echo", arguments: { text } });
  await client.callTool({ name: "echo", arguments: {} }).catch(() => {});
  const address = new URL("/metrics", server.url);
  expect((await fetch(address)).status).toBe(401);
  const answer = await fetch(address, { headers: { authorization: `Bearer ${server.token}` } });
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4");
  const text = await answer.text();
  const { calls, openSessions, appends, memory } = server.runtime.metrics();
  expect(calls).toMatchObject([
    { tool: "echo", status: "done", count: 2 },
    { tool: "echo", status: "failed", count: 1 },
  ]);
  expect(openSessions).toBe(1);
  expect(appends).toMatchObject({ failed: 0 });
  expect(memory.residentBytes).toBeGreaterThan(1e6);
  const lines = text.trimEnd().split("\n");
  const done = 'tool="echo",status="done"';
  expect(lines).toContain(`toolwright_call_duration_seconds_count{${done}} 2`);
  expect(lines).toContain(`toolwright_call_duration_seconds_bucket{${done},le="+Inf"} 2`);
  expect(lines).toContain(`toolwright_call_duration_seconds_bucket{${done},le="60"} 2`);
  expect(lines).toContain("toolwright_open_sessions 1");
  for (const line of lines)
    expect(line).toMatch(
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.e+-]+)$/,
    );
});

test("/health tells a client with a token which parts it has looked at, and fails when the store does", async () => {
  const folder = await temporaryFolder();
  const server = await serveForTest({
    options: { store: `sqlite:${join(folder, "store.sqlite")}`, sandbox: "off" },
  });
  const address = new URL("/health", server.url);
  const headers = { authorization: `Bearer ${server.token}` };
  const [stranger, client] = await Promise.all([fetch(address), fetch(address, { headers })]);
  expect(await stranger.json()).toEqual({ status: "ok" });
  expect(await client.json()).toMatchObject({
    status: "ok",
    store: { isOk: true },
    disk: { isOk: true, freeBytes: expect.any(Number) },
    sandbox: { kind: "none" },
  });
  await server.runtime.close();
  await rm(folder, { recursive: true });
  expect(await server.runtime.health()).toMatchObject({ status: "failing", store: { isOk: false } });
});
