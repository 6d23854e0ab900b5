import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { loadForIsolated } from "../../../src/capabilities/isolated/loading-isolated.ts";
import { openRuntime, type Session, type SessionEvent } from "../../../src/index.ts";
import { defineTool } from "../../../src/tool/index.ts";
import { connectClient, serveForTest } from "../../faces/mcp-server/serve-for-test.ts";
import { casesOf } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";
import { hostile } from "./hostile-module.ts";
import tools from "./useful-module.ts";

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function eventsOf(session: Session): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  const end = await session.bookmark();
  for await (const event of session.events()) {
    events.push(event);
    if (event.sequence >= end) break;
  }
  return events;
}

/** What comes of each deed. */
const ends: Readonly<Record<string, readonly [status: string, says: RegExp]>> = {
  "loop for ever": ["timed-out", /no answer within 1500 ms/],
  "throw in a timer": ["failed", /the tool's process ended: Error: thrown in a timer/],
  "exit the process": ["failed", /it exited with code 0/],
  "fill the heap": ["failed", /more than 64 MB of memory/],
  "forget a promise": ["done", /answered/],
  "start a process and never settle": ["timed-out", /no answer within 1500 ms/],
  "never settle": ["timed-out", /no answer within 1500 ms/],
  "kill itself": ["failed", /it was ended by SIGKILL/],
  abort: ["failed", /it was ended by SIGABRT/],
  "fill memory with buffers": ["failed", /more than 64 MB of memory/],
  "close the channel": ["failed", /it exited with code/],
  "return a function": ["failed", /the result cannot be sent between processes/],
  "throw no error": ["failed", /null was thrown/],
};
const deeds = casesOf({ sample: Object.keys(ends).slice(0, 6), full: Object.keys(ends) });

test("an isolated tool may do anything to its process: its call ends and the runtime goes on", async () => {
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { session, runtime } = await openTestSession({ tools: [hostile] });
  const beside = await runtime.openSession();
  let isOver = false;
  const calls = deeds.map(async (deed) => {
    const timeoutMs = ends[deed]![0] === "timed-out" ? 1500 : 60_000;
    const { status, text } = await session.call("hostile", { deed }, { timeoutMs });
    return { deed, status, text };
  });
  const all = Promise.all(calls).finally(() => {
    isOver = true;
  });
  expect(await beside.call("file_list", { path: "." })).toMatchObject({ status: "done" });
  expect(isOver).toBe(false);
  for (const { deed, status, text } of await all) {
    expect([deed, status]).toEqual([deed, ends[deed]![0]]);
    expect(text).toMatch(ends[deed]![1]);
  }
  const warned = (await eventsOf(session)).flatMap((event) => (event.type === "log" ? event.message : []));
  expect(warned).toEqual(["hostile started something that failed, and did not wait for it: forgotten"]);
  const [, started] = /started (\d+)/.exec(printed.mock.calls.join("")) ?? [];
  await until(() => !isAlive(Number(started)));
  expect((await runtime.receipts({ sessionId: session.id })).length).toBe(deeds.length);
});

test("an isolated tool uses its context as any other, called by code, by an MCP client and by an agent", async () => {
  const server = await serveForTest({ options: { tools, permissions: { mode: "edit" } } });
  const { runtime, workspace } = server;
  const session = await runtime.openSession();
  const read = (name: string) => readFile(join(workspace, name), "utf8");
  const progress: unknown[] = [];
  const onProgress = (update: unknown) => progress.push(update);
  const first = await session.call("useful", { path: "a.txt" }, { onProgress });
  const { pid } = first.data as { pid: number };
  expect(pid).not.toBe(process.pid);
  expect(first).toMatchObject({
    status: "done",
    text: expect.stringMatching(/a\.txt\.bin by Read$/),
    truncated: true,
    data: { calls: 1, count: 1, isLater: true, callId: first.callId },
    receipt: { effects: { writes: ["a.txt", "a.txt.bin"] } },
  });
  expect(progress).toEqual([{ done: 1 }]);
  expect(await read("a.txt")).toBe("two\n");
  expect(await read("a.txt.bin")).toBe("\u0001\u0002\u0003");

  // The process is kept for the next call, and so are variables.
  const second = await session.call("useful", { path: "a.txt" });
  expect(second.data).toMatchObject({ pid, calls: 2, count: 2 });
  expect((await session.undo(second.callId)).status).toBe("done");
  expect((await session.dryRun("useful", { path: "b.txt" })).text).toContain("+two");
  expect((await session.undo(first.callId)).status).toBe("done");
  await expect(read("a.txt")).rejects.toThrow("ENOENT");
  const reported = (await eventsOf(session)).filter(({ type }) =>
    ["custom", "call-progress", "log"].includes(type),
  );
  expect(reported.slice(0, 3)).toMatchObject([
    { type: "call-progress", update: { done: 1 }, callId: first.callId },
    { type: "custom", eventType: "useful", data: { path: "a.txt" } },
    { type: "log", level: "info", message: "working", data: { calls: 1 } },
  ]);

  const client = await connectClient(server);
  const served = await client.callTool({ name: "useful", arguments: { path: "c.txt" } });
  expect(served.isError ?? false).toBe(false);
  expect(await read("c.txt")).toBe("two\n");
  const model = scriptedModel([
    { calls: [{ name: "useful", input: { path: "d.txt" } }] },
    { text: "finished" },
  ]);
  expect(await runtime.agent({ model, session }).run("go")).toMatchObject({ text: "finished" });
  expect(await read("d.txt")).toBe("two\n");

  // A tool that reports without a pause fills no memory, and its newest progress arrives.
  progress.length = 0;
  const reporting = await session.call("reporting", { times: 100_000 }, { onProgress });
  expect(reporting).toMatchObject({ status: "done", text: "reported" });
  expect(progress.length).toBeLessThan(2000);
  expect(progress.at(-1)).toEqual({ count: 100_000 });

  await server.close();
  await runtime.close();
  expect(isAlive(pid)).toBe(false);
});

test("an isolated tool is refused what its call may not have, and stops in its own time, previews and undoes", async () => {
  const permissions = { mode: "auto" as const, deny: ["refused(secret.txt)"] };
  const { session } = await openTestSession({ tools, permissions });
  const tell = async (what: string) => {
    const { error } = await session.call("refused", { what });
    return `${error?.code}: ${error?.message}`;
  };
  expect(await tell("path")).toMatch(/^permission-denied: .* leads outside the workspace/);
  expect(await tell("denied")).toMatch(/^permission-denied: /);
  expect(await tell("wording")).toBe("unsupported: an isolated tool cannot use context.wording");
  expect(await tell("method")).toBe("unsupported: a context has no files.explode");
  expect(await tell("pieces")).toContain("an argument of files.writeBytes cannot be sent between processes");
  expect(await tell("answer")).toMatch(/^nobody-to-ask: /);
  const failed = await session.call("refused", { what: "error" });
  expect(failed.error).toMatchObject({ code: "conflict", message: "its own error", hint: "Its own hint." });
  expect(failed.text).toContain("so far");

  const done = await session.call("undoable", {});
  const { pid } = done.data as { pid: number };
  expect((await session.dryRun("undoable", {})).text).toBe(`would run in ${pid}`);
  expect((await session.undo(done.callId)).status).toBe("done");
  const undone = (await eventsOf(session)).find(({ type }) => type === "custom");
  expect(undone).toMatchObject({ eventType: "undone", data: { ran: pid, undone: pid } });

  const stopped = await session.call("stopping", {}, { timeoutMs: 50 });
  expect(stopped).toMatchObject({ status: "timed-out", error: { message: "stopped by itself" } });
  expect(stopped.text).toContain("what it had");
});

const inModule = (name: string, module: unknown) =>
  defineTool({
    name,
    description: "Is elsewhere.",
    params: {},
    traits: { readOnly: true, isolated: module as string },
    run: () => "ran here",
  });

test("an isolated tool whose module cannot give it to another process fails with what to do, and never runs in this one", async () => {
  const here = new URL("useful-module.ts", import.meta.url);
  const { session } = await openTestSession({
    tools: [inModule("missing", here), inModule("gone", "/gone.mjs")],
  });
  const tell = async (name: string) => (await session.call(name, {})).text;
  const told = await Promise.all(["missing", "gone"].map(tell));
  expect(told[0]).toContain("missing is isolated, and its module exports no tool of that name");
  expect(told[1]).toContain("Cannot find module");
  // As a program does whose only file has its tools too.
  const loading = loadForIsolated(() => openRuntime({ store: "memory:" }));
  await expect(loading).rejects.toThrow("move the tool to a module of its own");
  for (const wrong of [true, "./tool.ts", 7, { module: "data:text/javascript," }])
    expect(() => inModule("wrong", wrong)).toThrow("write isolated: import.meta.url");
});
