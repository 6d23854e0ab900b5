import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { McpServerOptions } from "../../../src/capabilities/mcp-client/index.ts";
import type { Runtime, Session } from "../../../src/index.ts";
import { fuzzRuns } from "../../support/fuzz.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { openWithServers, untilConnected } from "./open-with-servers.ts";
import { define, rawServer, sampleServer } from "./sample-servers.ts";

function openWith(mcpServers: Record<string, McpServerOptions>) {
  return openWithServers({ permissions: { mode: "auto", allow: ["@network", "@execute"] }, mcpServers });
}

/** A server that starts only while it may, and else ends at once. */
async function crashingServer() {
  const { options } = await sampleServer([define("crash"), define("echo")]);
  const leave = join(await temporaryFolder(), "leave");
  const allow = () => writeFile(leave, "");
  await allow();
  const script = 'test -e "$0" || exit 4; exec "$@"';
  const args = ["-c", script, leave, options.command, ...(options.args ?? [])];
  return { options: { command: "sh", args }, allow, forbid: () => rm(leave) };
}

function statusOf(runtime: Runtime, name = "sample") {
  return runtime.mcp.servers().find((server) => server.name === name);
}

const waiting = { timeout: 45_000, interval: 50 };

function listed(session: Session, name: string) {
  return session.tools().find((tool) => tool.name === name);
}

test("a server that ends during a call fails it at once, stays listed as unavailable, and is started again", async () => {
  const { options, allow, forbid } = await crashingServer();
  const { options: other } = await sampleServer([define("echo")]);
  const { session, runtime } = await openWith({ sample: options, other });
  const told: ReturnType<typeof statusOf>[] = [];
  runtime.tools.onChange(() => told.push(statusOf(runtime)));
  await forbid();
  const crashed = await session.call("mcp__sample__crash", {});
  expect(crashed).toMatchObject({ status: "failed", error: { code: "unavailable" } });
  expect(crashed.error?.hint).toContain("The call may have taken effect");

  const [first] = told.filter((server) => server?.status !== "running");
  expect(first).toMatchObject({
    status: "unavailable",
    reason: expect.stringContaining("exited with code 3"),
  });
  // Now and then it is being tried again.
  await vi.waitFor(async () => {
    expect(statusOf(runtime)?.status).toBe("unavailable");
    expect(listed(session, "mcp__sample__echo")?.description).toContain("[Currently unavailable:");
    const refused = await session.call("mcp__sample__echo", {});
    expect(refused.error).toMatchObject({ code: "unavailable", retryable: true });
    expect(refused.error?.message).toMatch(/exited with code [34]/);
  }, waiting);
  expect((await session.call("mcp__other__echo", {})).status).toBe("done");

  await allow();
  await vi.waitFor(() => expect(statusOf(runtime)?.status).toBe("running"), waiting);
  expect((await session.call("mcp__sample__echo", { a: 1 })).text).toBe('{"a":1}');
  expect(listed(session, "mcp__sample__echo")?.description).toBe("The tool echo");
}, 40_000);

test("a call of a server that never started says why, and other unknown names are unknown tools", async () => {
  const options = { command: process.execPath, args: ["-e", "process.exit(7)"] };
  const { session, runtime } = await openWith({ sample: options, off: { ...options, enabled: false } });
  // Now and then it is being tried again.
  await vi.waitFor(async () => {
    expect(statusOf(runtime)?.status).toBe("unavailable");
    const { status, error } = await session.call("mcp__sample__echo", {});
    expect([status, error?.code, error?.retryable]).toEqual(["failed", "unavailable", true]);
    expect(error?.message).toMatch(/^the MCP server sample is not available: .*exited with code 7/);
  }, waiting);
  const { error: off } = await session.call("mcp__off__echo", {});
  expect(off).toMatchObject({
    code: "unavailable",
    message: "the MCP server off is not available: disabled",
  });
  expect((await session.call("mcp__other__echo", {})).error?.code).toBe("unknown-tool");
}, 40_000);

test("a call of a tool whose server is away is not put to a person", async () => {
  const { options, forbid } = await crashingServer();
  const asked: string[] = [];
  const { session } = await openWithServers({
    permissions: { mode: "ask", allow: ["mcp__sample__crash"] },
    onApproval: async ({ tool }) => {
      asked.push(tool);
      return { decision: "deny" };
    },
    mcpServers: { sample: options },
  });
  await forbid();
  await session.call("mcp__sample__crash", {});
  expect((await session.call("mcp__sample__echo", {})).error?.code).toBe("unavailable");
  expect(asked).toEqual([]);
}, 20_000);

test("output of a server that is not a message is passed over", async () => {
  const { options } = await sampleServer([define("garbage")]);
  const { session } = await openWith({ sample: options });
  for (let time = 0; time < 3; time += 1) {
    expect((await session.call("mcp__sample__garbage", {})).text).toBe("still here");
  }
});

test("a result of a hundred megabytes is refused, and the server is used on", async () => {
  const { options } = await sampleServer([define("huge"), define("echo")]);
  const { session } = await openWith({ sample: options });
  const result = await session.call("mcp__sample__huge", { bytes: 100_000_000 });
  expect(result.error?.message).toMatch(/the answer has 10\d{7} bytes; the limit is/);
  expect((await session.call("mcp__sample__echo", {})).status).toBe("done");
}, 30_000);

test("a long result is cut for the model and kept whole on disk", async () => {
  const { options } = await sampleServer([define("huge")]);
  const { session } = await openWith({ sample: options });
  const result = await session.call("mcp__sample__huge", { bytes: 1_000_000 });
  expect(result.status).toBe("done");
  expect(result).toMatchObject({ truncated: true });
  expect(result.omitted).toBeGreaterThan(900_000);
  expect(result.storedPath).toBeDefined();
});

test("a server that never answers holds up nothing else", async () => {
  const { options } = await sampleServer([define("echo")]);
  const mcpServers = { silent: rawServer("silent"), sample: options };
  const { session, runtime } = await openTestSession({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers,
  });
  expect(statusOf(runtime, "silent")).toMatchObject({ status: "connecting", tools: 0 });
  await untilConnected(runtime, (name) => name === "sample");
  expect((await session.call("mcp__sample__echo", {})).status).toBe("done");
}, 30_000);

test("a server that never answers is given up on in time, and said to", async () => {
  const mcpServers = { silent: { ...rawServer("silent"), connectTimeoutMs: 1000 } };
  const { runtime } = await openTestSession({ mcpServers });
  // On a slow machine it is being tried again already.
  await vi.waitFor(() => {
    expect(statusOf(runtime, "silent")).toMatchObject({
      status: "unavailable",
      reason: expect.stringContaining("no answer within 1000 ms"),
    });
    const [problem] = runtime.problems();
    expect(problem).toMatchObject({ source: "mcp server silent", severity: "warning" });
  }, waiting);
});

test.each([["touchy"], ["mute-to-new"]])(
  "a server from before the current protocol works: %s",
  async (manner) => {
    // Half of it goes by before one that says nothing is taken for what it is.
    const { session } = await openWith({ old: { ...rawServer(manner), connectTimeoutMs: 8000 } });
    expect((await session.call("mcp__old__ask", {})).text).toBe("answered by an old one");
  },
);

test("a server that did not start is listed with its own words", async () => {
  const { runtime } = await openWith({
    complaining: rawServer("complaining"),
    missing: { command: "no-such-program-at-all" },
  });
  expect(statusOf(runtime, "complaining")?.reason).toContain("cannot read my configuration");
  expect(statusOf(runtime, "complaining")?.reason).toContain("exited with code 2");
  expect(statusOf(runtime, "missing")?.reason).toBe(
    "cannot start no-such-program-at-all: the program or its working folder does not exist",
  );
});

test("a variable that is not set is told, and nothing is started", async () => {
  const { options } = await sampleServer([define("echo")]);
  const { runtime } = await openWith({
    sample: { ...options, env: { KEY: `\${EXAMPLE_NOT_SET_ANYWHERE}` } },
  });
  expect(statusOf(runtime)).toMatchObject({
    status: "unavailable",
    reason: "the environment variable EXAMPLE_NOT_SET_ANYWHERE is not set",
  });
});

test("closing the runtime ends servers and whatever they started", async () => {
  const { options } = await sampleServer([define("offspring")]);
  const mcpServers = { sample: options, silent: rawServer("silent") };
  const { session, runtime } = await openTestSession({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers,
  });
  await untilConnected(runtime, (name) => name === "sample");
  const pids = (await session.call("mcp__sample__offspring", {})).text.split(" ").map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  await runtime.close();
  await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), waiting);
}, 30_000);

test("a server that ends leaves nothing running that it started", async () => {
  const { options } = await sampleServer([define("offspring"), define("crash")]);
  const { session } = await openWith({ sample: options });
  const [, child = 0] = (await session.call("mcp__sample__offspring", {})).text.split(" ").map(Number);
  await session.call("mcp__sample__crash", {});
  await vi.waitFor(() => expect(isAlive(child)).toBe(false), waiting);
}, 30_000);

const manyTools = fuzzRuns({ sample: 1000, full: 10_000 });

test(`${manyTools} tools are offered and called`, async () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } };
  const many = Array.from({ length: manyTools }, (_, index) =>
    define(`tool_${index}`, { inputSchema: schema }),
  );
  const { options } = await sampleServer(many);
  const { session, runtime } = await openWith({ sample: options });
  await vi.waitFor(
    () => expect(statusOf(runtime)).toMatchObject({ status: "running", tools: manyTools }),
    waiting,
  );
  expect(session.tools().length).toBeGreaterThan(manyTools);
  expect((await session.call(`mcp__sample__tool_${manyTools - 1}`, { a: "x" })).text).toBe('{"a":"x"}');
}, 60_000);

test("a server that reads slowly makes no listeners pile up", async () => {
  const { options } = await sampleServer([define("echo")]);
  const { session } = await openWith({ sample: options });
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const input = { text: "x".repeat(500_000) };
  const calls = Array.from({ length: 30 }, () => session.call("mcp__sample__echo", input));
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => "done"));
  expect(warnings).toEqual([]);
});

test("a hundred calls at once each get their own answer", async () => {
  const { options } = await sampleServer([define("echo")]);
  const { session } = await openWith({ sample: options });
  const calls = Array.from({ length: 100 }, (_, index) => session.call("mcp__sample__echo", { index }));
  const texts = (await Promise.all(calls)).map(({ text }) => text);
  expect(texts).toEqual(Array.from({ length: 100 }, (_, index) => JSON.stringify({ index })));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
