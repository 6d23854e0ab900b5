import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { RuntimeOptions } from "../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { openWithServers } from "./open-with-servers.ts";
import { type Definition, define, rawServer, sampleServer } from "./sample-servers.ts";

const add = define("add", {
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  annotations: { readOnlyHint: true },
});

async function openWith(definitions: readonly Definition[], more: RuntimeOptions = {}, server: object = {}) {
  const sample = await sampleServer(definitions);
  const opened = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { sample: { ...sample.options, ...server } },
    ...more,
  });
  return { ...opened, ...sample };
}

test("a server's tools are called like any other, checked before and recorded after", async () => {
  const { session, runtime } = await openWith([add]);
  const result = await session.call("mcp__sample__add", { a: 1, b: 2 });
  expect(result).toMatchObject({ status: "done", text: "3", data: { sum: 3 } });
  expect(result.receipt).toMatchObject({
    tool: "mcp__sample__add",
    toolVersion: expect.stringMatching(/^[0-9a-f]{64}$/),
    effects: { runs: ["mcp:sample/add"] },
  });
  const wrong = await session.call("mcp__sample__add", { a: 1, c: 2 });
  expect(wrong.error).toMatchObject({ code: "invalid-input" });
  expect(await runtime.receipts()).toHaveLength(2);
});

test("a server's claims about its tools grant nothing", async () => {
  const { session } = await openWith([add], { permissions: { mode: "ask" } });
  expect(await session.explain("mcp__sample__add", { a: 1, b: 2 })).toMatchObject({ decision: "ask" });
  expect((await session.call("mcp__sample__add", { a: 1, b: 2 })).status).toBe("denied");
  const [tool] = session.tools().filter(({ name }) => name === "mcp__sample__add");
  expect(tool?.annotations).toMatchObject({ readOnlyHint: false, openWorldHint: true });
});

test("rules bind the tools of servers", async () => {
  const { session } = await openWith([add, define("echo")], {
    permissions: { mode: "readonly", allow: ["mcp__sample__*"], deny: ["mcp__sample__add"] },
  });
  expect((await session.call("mcp__sample__echo", {})).status).toBe("done");
  expect((await session.call("mcp__sample__add", { a: 1, b: 2 })).status).toBe("denied");
});

test("a result that says it is an error is a failed call", async () => {
  const { session } = await openWith([define("fail"), define("refuse")]);
  const failed = await session.call("mcp__sample__fail", {});
  expect(failed).toMatchObject({
    status: "failed",
    error: { code: "tool-failed", message: "it did not work at all" },
  });
  expect((await session.call("mcp__sample__refuse", {})).error).toMatchObject({
    code: "tool-failed",
    message: expect.stringContaining("no such luck"),
  });
});

test("progress is passed on while the call runs", async () => {
  const { session } = await openWith([define("slow")]);
  const updates: unknown[] = [];
  const onProgress = (update: unknown) => updates.push(update);
  expect((await session.call("mcp__sample__slow", { ms: 1 }, { onProgress })).text).toBe("slept");
  expect(updates).toEqual([{ progress: 1, total: 2, message: "half" }]);
});

test("progress that comes in the same breath as the answer is passed on too", async () => {
  const { session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { raw: rawServer("breathless") },
  });
  const updates: unknown[] = [];
  const onProgress = (update: unknown) => updates.push(update);
  expect((await session.call("mcp__raw__ask", {}, { onProgress })).text).toBe("answered as ever");
  expect(updates).toEqual([1, 2].map((progress) => ({ progress, total: 2 })));
});

test("a call that takes too long or is cancelled is ended at the server too", async () => {
  const { session } = await openWith([define("slow")]);
  const folder = await temporaryFolder();
  const tooLong = { ms: 60_000, file: join(folder, "timed-out") };
  // By then the server has it, also where both get little time.
  expect((await session.call("mcp__sample__slow", tooLong, { timeoutMs: 1000 })).status).toBe("timed-out");
  const cancelling = new AbortController();
  const cancelled = session.call(
    "mcp__sample__slow",
    { ms: 60_000, file: join(folder, "cancelled") },
    { signal: cancelling.signal, onProgress: () => cancelling.abort() },
  );
  expect((await cancelled).status).toBe("cancelled");
  for (const name of ["timed-out", "cancelled"]) {
    await vi.waitFor(async () => expect(await readFile(join(folder, name), "utf8")).toBe("true"), 45_000);
  }
});

test("a server's own limit of time binds its calls", async () => {
  const { session } = await openWith([define("slow")], {}, { timeoutMs: 200 });
  expect((await session.call("mcp__sample__slow", { ms: 60_000 })).status).toBe("timed-out");
});

test("tools of a server are offered if they are included and not excluded", async () => {
  const names = ["read_file", "read_all", "write_file", "drop"].map((name) => define(name));
  const { runtime } = await openWith(names, {}, { include: ["read_*", "write_file"], exclude: ["*_all"] });
  const offered = runtime.tools.list().flatMap(({ name, layer }) => (layer === "mcp" ? name : []));
  expect(offered).toEqual(["mcp__sample__read_file", "mcp__sample__write_file"]);
});

test("a server that is not enabled is not started", async () => {
  const { runtime } = await openWith([add], {}, { enabled: false, command: "/no/such/program" });
  expect(runtime.mcp.servers()).toEqual([
    { name: "sample", origin: "options", status: "disabled", tools: 0 },
  ]);
  expect(runtime.problems()).toEqual([]);
});

test("a server gets the usual variables, those passed by name and those declared, and no secrets", async () => {
  const server = {
    env: { DECLARED: "yes", FROM: `\${EXAMPLE_PASSED}!` },
    passEnvironment: ["EXAMPLE_PASSED"],
  };
  vi.stubEnv("EXAMPLE_PASSED", "passed");
  vi.stubEnv("EXAMPLE_OTHER", "other");
  vi.stubEnv("EXAMPLE_API_KEY", "hush");
  const { session } = await openWith([define("environment")], {}, server);
  const { data } = await session.call("mcp__sample__environment", {});
  expect(data).toMatchObject({ DECLARED: "yes", EXAMPLE_PASSED: "passed", FROM: "passed!" });
  expect(data).toHaveProperty("PATH");
  expect(data).not.toHaveProperty("EXAMPLE_OTHER");
  expect(data).not.toHaveProperty("EXAMPLE_API_KEY");
  vi.unstubAllEnvs();
});

test("tools of servers have single underscores in the dialect internal, also if a server's name has underscores", async () => {
  const sample = await sampleServer([define("echo"), define("b_echo")]);
  const { session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    dialect: "internal",
    mcpServers: { a: sample.options, a_b: sample.options, my_own_server: sample.options },
  });
  const names = session.tools().map(({ name }) => name);
  expect(names).toContain("mcp_my_own_server_echo");
  // `mcp_a_b_echo` can be only one of the two; the other keeps its own name.
  expect(names).toContain("mcp_a_b_echo");
  expect(names).toContain("mcp__a_b__echo");
  expect((await session.call("mcp_my_own_server_echo", { x: 1 })).receipt.tool).toBe(
    "mcp__my_own_server__echo",
  );
  expect((await session.call("mcp_a_b_echo", {})).receipt.tool).toBe("mcp__a__b_echo");
});

test("a server answers to no names of another server's tools, whatever its own name is", async () => {
  const sample = await sampleServer([define("echo")]);
  const { session, runtime } = await openWithServers({
    permissions: { mode: "auto", deny: ["mcp__a__echo"] },
    mcpServers: { a: { ...sample.options, enabled: false }, _a_: sample.options },
  });
  expect((await session.call("mcp__a__echo", {})).error?.code).toBe("unavailable");
  expect((await session.call("mcp___a___echo", {})).status).toBe("done");
  expect(runtime.problems()).toEqual([]);
});

test("servers whose tools could be mistaken for each other's are refused", async () => {
  const { options } = await sampleServer([]);
  for (const names of [
    ["a", "a__b"],
    ["a", "a_"],
  ]) {
    const mcpServers = Object.fromEntries(names.map((name) => [name, options]));
    await expect(openTestSession({ mcpServers })).rejects.toThrow("could get the same name");
  }
});

test.each([
  ["a name", { "no spaces": { command: "x" } }, "server's name"],
  ["neither command nor url", { a: {} }, 'set either "command"'],
  ["both command and url", { a: { command: "x", url: "https://x" } }, 'set either "command"'],
  ["an address of another kind", { a: { url: "file:///etc/passwd" } }, "not an http"],
  ["a word that is none", { a: { command: "x", arg: [] } }, "arg"],
])("wrong options are refused: %s", async (_what, mcpServers, message) => {
  await expect(openTestSession({ mcpServers: mcpServers as never })).rejects.toThrow(message);
});
