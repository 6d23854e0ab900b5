import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CallResult } from "../../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";
import { until } from "../../../support/until.ts";
import { createCli, mainFile, parseLines } from "../run-cli.ts";
import { startTerminal, testAtTerminal } from "../start-terminal.ts";

/** A process with two calls that wait for a person, and commands at another terminal. */
async function openWaiting() {
  const cli = await createCli();
  const store = `sqlite:${join(cli.folder, "store.sqlite")}`;
  const options = { workspace: cli.workspace, store, secrets: ["swordfish"] };
  const { session } = await openTestSession(
    { ...options, permissions: { mode: "ask" }, approvals: "queue" },
    { id: "one", dialect: "canonical" },
  );
  const write = (path: string) => session.call("file_write", { path, content: "swordfish" });
  const first = write("a");
  await until(() => session.approvals.list().length === 1);
  const calls: [Promise<CallResult>, Promise<CallResult>] = [first, write("b")];
  await until(() => session.approvals.list().length === 2);
  const at = (...words: string[]) => cli([...words, "--store", store]);
  const openBeside = async (id: string) => (await openTestSession(options, { id })).runtime;
  return { cli, store, session, calls, at, openBeside };
}

testAtTerminal("approve at a terminal shows the waiting call, and asks for a decision", async () => {
  const { cli, store, session } = await openWaiting();
  const id = `call:${session.approvals.list()[1]!.id}`;
  const terminal = startTerminal([process.execPath, mainFile, "approve", id, "--store", store], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  await terminal.waitFor("Decide on this? [y/N]");
  expect(terminal.text()).toContain("file_write needs approval: b");
  terminal.type("n\r");
  expect(await terminal.exited).toBe(3);
  expect(session.approvals.list()).toHaveLength(2);
});

testAtTerminal("a request too long for the screen is shown in parts before it is decided on", async () => {
  const { cli, store, session } = await openWaiting();
  void session.call("file_write", { path: "long", content: "a line\n".repeat(600) });
  await until(() => session.approvals.list().length === 3);
  const id = `call:${session.approvals.list()[2]!.id}`;
  const terminal = startTerminal([process.execPath, mainFile, "approve", id, "--store", store], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  // The text is there twice: as input, and as the change it would make.
  for (const row of [400, 800, 1200]) {
    await terminal.waitFor(`That was row ${row} of `);
    expect(terminal.text()).not.toContain("Decide on this?");
    // A yes before the end only reads on.
    terminal.type("y\r");
  }
  await terminal.waitFor("Decide on this? [y/N]");
  expect(session.approvals.list()).toHaveLength(3);
  terminal.type("y\r");
  expect(await terminal.exited).toBe(0);
  await until(() => session.approvals.list().length === 2);
});

test("a call that waits in one process is shown, approved and denied at another terminal", async () => {
  const { cli, calls, at } = await openWaiting();
  expect((await at("sessions")).stdout).toMatch(/one {2,}.*waiting \(pid \d+\)/);
  const { stdout } = await at("approvals");
  expect(stdout).toMatch(/^call:approval_\w+ \(call in session one\)\nfile_write needs approval: a\n/);
  expect(stdout).not.toContain("swordfish");
  const waiting = parseLines((await at("approvals", "--json")).stdout) as { id: string; kind: string }[];
  expect(waiting).toMatchObject([
    { kind: "call", tool: "file_write", input: { path: "a" }, sessionId: "one" },
    { kind: "call", tool: "file_write", input: { path: "b" } },
  ]);

  // Whoever told the person which id to give may have meant another call.
  expect(await at("approve", waiting[0]!.id)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("file_write needs approval: a\n"),
  });
  expect(await calls[0]).toMatchObject({ status: "done" });
  // What waited is what runs, and not what was shown of it.
  expect(await readFile(join(cli.workspace, "a"), "utf8")).toBe("swordfish");
  expect(await at("deny", waiting[1]!.id)).toMatchObject({ exitCode: 0 });
  expect(await calls[1]).toMatchObject({ status: "denied", error: { code: "permission-denied" } });
  expect(await at("approve", waiting[0]!.id)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("is waiting: it was already decided"),
  });
  expect((await at("approvals")).stderr).toContain("nothing needs approval");
});

test("a person at another terminal answers for the session, with a reason, and several at once", async () => {
  const { session, calls, at } = await openWaiting();
  const idOf = (path: string) => {
    const request = session.approvals.list().find(({ input }) => (input as { path: string }).path === path);
    return `call:${request?.id}`;
  };
  expect((await at("approvals")).stdout).toContain("\nfor good with --always:\n  | @write(/a)\n");
  expect(await at("approve", idOf("a"), "--always")).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("for good with --always:\n  | @write(/a)"),
  });
  expect(await at("approve", idOf("a"), "--for-session")).toMatchObject({ exitCode: 0 });
  expect(await calls[0]).toMatchObject({ status: "done" });
  expect(await session.call("file_write", { path: "a", content: "y" })).toMatchObject({ status: "done" });

  // A sub-agent counts as whoever it works for.
  const caller = {
    kind: "agent",
    name: "agent agent_1",
    onBehalfOf: { kind: "code", name: "toolwright" },
  } as const;
  const more = session.call("file_write", { path: "c", content: "x" }, { caller });
  await until(() => session.approvals.list().length === 2);
  const denied = await at("deny", idOf("b"), "not without a test", "--all-like", "--yes");
  expect(denied.stderr.match(/is denied/g)).toHaveLength(2);
  for (const call of [calls[1], more])
    expect(await call).toMatchObject({
      status: "denied",
      text: expect.stringContaining("not without a test"),
    });
});

test("a call that nobody could be asked about is approved at a terminal later, and does not count as waiting", async () => {
  const cli = await createCli();
  const store = `sqlite:${join(cli.folder, "store.sqlite")}`;
  const { session } = await openTestSession(
    { workspace: cli.workspace, store, permissions: { mode: "ask" } },
    { id: "one", dialect: "canonical" },
  );
  const write = () => session.call("file_write", { path: "a", content: "x" });
  const { error } = await write();
  const [, words = ""] = /`toolwright (.+)`/.exec(error?.hint ?? "") ?? [];
  const at = (...given: string[]) => cli([...given, "--store", store]);
  expect((await at("sessions")).stdout).toMatch(/one {2,}.*running \(pid \d+\)/);
  expect((await at("approvals")).stdout).toContain("(call in session one; no process waits for it");
  // Whole as it is: it names the store too.
  expect(await cli(words.split(" "))).toMatchObject({ exitCode: 0 });
  expect(await write()).toMatchObject({ status: "done" });
  expect((await at("approvals")).stderr).toContain("nothing needs approval");
});

test("a waiting call is decided once, by the faster of two processes, and not at all once its session is closed", async () => {
  const { session, calls, openBeside } = await openWaiting();
  const [one, other] = [await openBeside("two"), await openBeside("three")];
  const [first, second] = await one.approvals.list();
  const outcomes = await Promise.allSettled([
    one.approvals.decide(first!.id, "allow"),
    other.approvals.decide(first!.id, "deny", { note: "not today" }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await calls[0]).status).toBe(outcomes[0]!.status === "fulfilled" ? "done" : "denied");
  await session.close();
  expect(await calls[1]).toMatchObject({ status: "cancelled" });
  expect(await other.approvals.list()).toEqual([]);
  await expect(other.approvals.decide(second!.id, "allow")).rejects.toMatchObject({ code: "not-found" });
});

test("an undo from another process asks for its approval in that process", async () => {
  const { workspace, session, openBeside } = await openUndoable();
  const { callId } = await session.call(
    "file_write",
    { path: "a", content: "x" },
    { onApproval: () => "allow" },
  );
  const remote = await (await openBeside("two")).remoteSession("one");
  expect(await remote.undo(callId)).toMatchObject({ status: "denied", error: { code: "approval-needed" } });
  const asked: string[] = [];
  const undone = await remote.undo(callId, {
    onApproval: ({ tool }) => {
      asked.push(tool);
      return "allow";
    },
  });
  expect(undone).toMatchObject({ status: "done" });
  expect(asked).toEqual(["undo"]);
  await expect(readFile(join(workspace, "a"))).rejects.toThrow("ENOENT");
});

async function openUndoable() {
  const store = `sqlite:${join(await temporaryFolder(), "store.sqlite")}`;
  const { session, workspace } = await openTestSession(
    { store, permissions: { mode: "ask" } },
    { id: "one", dialect: "canonical" },
  );
  const openBeside = async (id: string) => (await openTestSession({ workspace, store }, { id })).runtime;
  return { session, workspace, openBeside };
}
