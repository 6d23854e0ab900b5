import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type AnyTool, type Caller, type CallResult, defineTool } from "../../../src/index.ts";
import { openTestSession, temporaryFolder, testPolicyPlaces } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";
import { startChild } from "../store/child.ts";

/** A session where nobody can be asked, and another runtime on the same store, where a person decides. */
async function openUnattended() {
  const folder = await temporaryFolder();
  const workspace = await temporaryFolder();
  const options = {
    workspace,
    store: `sqlite:${join(folder, "store.sqlite")}`,
    permissions: { mode: "ask" },
  } as const;
  const open = async (id: string, tools: readonly AnyTool[] = []) =>
    openTestSession({ ...options, tools }, { id, dialect: "canonical" });
  const { session, runtime } = await open("one");
  const { runtime: person } = await openTestSession({ ...options, caller: { kind: "person", name: "ann" } });
  const write = (path: string, caller?: Caller) =>
    session.call("file_write", { path, content: "x" }, caller === undefined ? {} : { caller });
  return { open, session, runtime, person, write, workspace, store: options.store };
}

function idIn({ status, error }: CallResult): string {
  expect([status, error?.code]).toEqual(["denied", "approval-needed"]);
  return /toolwright approve (call:\w+) --workspace /.exec(error?.hint ?? "")?.[1] ?? "none";
}

test("a call that nobody could be asked about says how to approve it, and then succeeds once", async () => {
  const { write, person, session } = await openUnattended();
  const id = idIn(await write("a"));
  expect(idIn(await write("a"))).toBe(id);
  const other = idIn(await write("b"));
  expect(other).not.toBe(id);
  expect((await person.approvals.list()).map((item) => [item.id, item.title])).toEqual(
    [id, other].map((each) => [each, expect.stringMatching(/^call in session one; no process waits for it/)]),
  );
  await person.approvals.decide(id, "allow");
  await expect(person.approvals.decide(id, "deny")).rejects.toMatchObject({ code: "not-found" });
  await expect(person.approvals.decide(other, "allow", { lasts: "session" })).rejects.toThrow(
    "once or always",
  );
  expect(idIn(await write("b"))).toBe(other);
  expect(await write("a")).toMatchObject({
    status: "done",
    receipt: { verdict: { decision: "allow", decidedBy: "ann" } },
  });
  expect(idIn(await write("a"))).not.toBe(id);
  await person.approvals.decide(other, "deny", { note: "b is mine" });
  expect(await write("b")).toMatchObject({
    status: "denied",
    text: expect.stringContaining("ann said no: b is mine"),
  });
  const decisions: unknown[] = [];
  for await (const event of (await person.remoteSession(session.id)).events({ signal: AbortSignal.abort() }))
    if (event.type === "approval-decision") decisions.push(event.decision);
  expect(decisions).toEqual(["allow", "deny"]);
});

test("a call without a waiting process is approved for good by the rule that was shown, in its own project alone", async () => {
  const folder = await temporaryFolder();
  const store = `sqlite:${join(folder, "store.sqlite")}`;
  const places = testPolicyPlaces(folder);
  const open = (workspace: string, id: string) =>
    openTestSession({ workspace, store, permissions: { mode: "ask" } }, { id, dialect: "canonical" }, places);
  const [project, other] = [await temporaryFolder(), await temporaryFolder()];
  const { session, runtime } = await open(project, "one");
  const write = (path: string) => session.call("file_write", { path, content: "x" });
  const id = idIn(await write("a"));
  const { runtime: elsewhere } = await open(other, "two");
  await expect(elsewhere.approvals.decide(id, "allow", { lasts: "always" })).rejects.toThrow(
    "give it as --workspace",
  );
  const [waiting] = await runtime.approvals.list();
  expect(waiting?.call?.rules).toEqual(["@write(/a)"]);
  await runtime.approvals.decide(id, "allow", { lasts: "always" });
  for (let times = 0; times < 2; times += 1) expect(await write("a")).toMatchObject({ status: "done" });
  idIn(await write("b"));
  // What runs other things is approved once, also when no process waits for it.
  const script = idIn(await session.call("shell_run", { command: "python3 a.py" }));
  await expect(runtime.approvals.decide(script, "allow", { lasts: "always" })).rejects.toThrow("only once");
});

test("an answer is for the client that asked, whatever another one calls itself", async () => {
  const { write, person, open } = await openUnattended();
  const client: Caller = { kind: "mcp", name: "editor", transport: "http", token: "laptop" };
  const id = idIn(await write("a", client));
  await person.approvals.decide(id, "allow");
  const forged: Caller[] = [
    { ...client, token: "phone" },
    { ...client, transport: "stdio" },
    { kind: "mcp", name: "editor" },
    { kind: "agent", name: "editor" },
    { kind: "code", name: "editor" },
  ];
  for (const each of forged) expect(idIn(await write("a", each))).not.toBe(id);
  // In any session of its own.
  const { session: later } = await open("two");
  const again = await later.call("file_write", { path: "a", content: "x" }, { caller: client });
  expect(again).toMatchObject({ status: "done" });
});

test("an answer is about the whole input of the call, and not only about the paths it touches", async () => {
  const { session, person, open } = await openUnattended();
  const write = (content: string, options = {}) =>
    session.call("file_write", { path: "a", content }, options);
  const id = idIn(await write("x"));
  await person.approvals.decide(id, "allow");
  for (const other of ["y", "x\n", "x "]) expect(idIn(await write(other))).not.toBe(id);
  expect(
    (await session.dryRun("file_write", { path: "a", content: "x" })).receipt.verdict?.decidedBy,
  ).not.toBe("ann");
  expect((await write("x")).status).toBe("done");

  const send = defineTool({
    ...{ name: "send", description: "Sends it.", params: { to: { type: "string" } } },
    run: ({ to }) => `sent to ${String(to)}`,
  });
  const { session: sending } = await open("two", [send]);
  await person.approvals.decide(idIn(await sending.call("send", { to: "ann" })), "allow");
  idIn(await sending.call("send", { to: "everybody" }));
  expect((await sending.call("send", { to: "ann" })).text).toBe("sent to ann");
});

test("an answer is for the project that it was asked in, also about a tool that names nothing of it", async () => {
  const { open, person, store } = await openUnattended();
  const send = defineTool({ name: "send", description: "Sends it.", params: {}, run: () => "sent" });
  const { session } = await open("two", [send]);
  await person.approvals.decide(idIn(await session.call("send", {})), "allow");
  const elsewhere = {
    workspace: await temporaryFolder(),
    store,
    tools: [send],
    permissions: { mode: "ask" },
  } as const;
  const { session: other } = await openTestSession(elsewhere, { id: "three", dialect: "canonical" });
  idIn(await other.call("send", {}));
  expect((await session.call("send", {})).text).toBe("sent");
});

test("an answer that a process has used is used up when that process has ended", async () => {
  const { person, store, workspace } = await openUnattended();
  const run = () => startChild(new URL("child-call-once.ts", import.meta.url), [workspace, store]).rest();
  expect(await run()).toEqual(["denied"]);
  const [{ id } = { id: "" }] = await person.approvals.list();
  await person.approvals.decide(id, "allow");
  expect(await run()).toEqual(["done"]);
  // Everything is as it was when the person was asked.
  await rm(join(workspace, "a"));
  expect(await run()).toEqual(["denied"]);
});

test("an agent's answer is for its own conversation", async () => {
  const { write, person, open } = await openUnattended();
  const agent: Caller = { kind: "agent", name: "agent" };
  await person.approvals.decide(idIn(await write("a", agent)), "allow");
  const { session: later } = await open("two");
  const elsewhere = await later.call("file_write", { path: "a", content: "x" }, { caller: agent });
  idIn(elsewhere);
  expect(await write("a", agent)).toMatchObject({ status: "done" });
});

test("an answer is about what was there when it was asked for, and holds for a day", async () => {
  const { write, person, workspace } = await openUnattended();
  await person.approvals.decide(idIn(await write("a")), "allow");
  await writeFile(join(workspace, "a"), "another file by now");
  const id = idIn(await write("a"));
  await person.approvals.decide(id, "allow");
  const late = idIn(await write("b"));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 3_600_000 + 1000 });
  try {
    expect(await person.approvals.list()).toEqual([]);
    await expect(person.approvals.decide(late, "allow")).rejects.toMatchObject({ code: "not-found" });
    expect(idIn(await write("a"))).not.toBe(id);
  } finally {
    vi.useRealTimers();
  }
});

test("a person who decides elsewhere is told how much of a call is not shown, because that part may be the one that acts", async () => {
  const { session, person } = await openUnattended();
  const code = `import shutil; shutil.rmtree("/srv"); ${"#".repeat(100)}`;
  const command = `python3 -c '"-----BEGIN PRIVATE KEY-----"; ${code}'`;
  idIn(await session.call("shell_run", { command }));
  const [item] = await person.approvals.list({ columns: 1000 });
  expect(item?.text).not.toContain("rmtree");
  expect(item?.text).toMatch(/reason: 1\d\d characters of it look like a secret and are not shown here/);
  // It can be allowed only by somebody who sees it.
  await expect(person.approvals.decide(item!.id, "allow")).rejects.toThrow("is not shown here");
  idIn(await session.call("shell_run", { command }));
  await person.approvals.decide(item!.id, "deny");
  expect((await session.call("shell_run", { command })).status).toBe("denied");
  idIn(await session.call("shell_run", { command: "touch x" }));
  expect((await person.approvals.list()).at(-1)?.text).not.toContain("not shown");
});

test("a waiting call cannot be allowed elsewhere either if the part that acts is not shown there", async () => {
  const store = `sqlite:${join(await temporaryFolder(), "store.sqlite")}`;
  const workspace = await temporaryFolder();
  const options = {
    workspace,
    store,
    sandbox: "off",
    permissions: { mode: "ask" },
    approvals: "queue",
  } as const;
  const { session } = await openTestSession(options, { dialect: "canonical" });
  const { runtime: person } = await openTestSession(options);
  const command = `sh -c ': -----BEGIN PRIVATE KEY-----; touch acted'`;
  const calling = session.call("shell_run", { command });
  await until(async () => (await person.approvals.list()).length === 1);
  const [{ id } = { id: "" }] = await person.approvals.list();
  await expect(person.approvals.decide(id, "allow")).rejects.toThrow("allow it where it is asked");
  const remote = await person.remoteSession(session.id);
  await expect(remote.decide(id.slice("call:".length), "allow")).rejects.toThrow(
    "allow it where it is asked",
  );
  // Whoever sees all of it can.
  const [request] = session.approvals.list();
  expect(request?.input).toMatchObject({ command });
  session.approvals.decide(request!.id, "allow");
  expect((await calling).status).toBe("done");
});

test("of two that answer, and of two that ask again, one is first", async () => {
  const { write, person, runtime, open, session } = await openUnattended();
  const id = idIn(await write("a"));
  const answers = await Promise.allSettled([
    person.approvals.decide(id, "allow"),
    runtime.approvals.decide(id, "allow"),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const { session: beside } = await open("two");
  const asked = await Promise.all(
    [session, beside].map((each) => each.call("file_write", { path: "a", content: "x" })),
  );
  expect(asked.map(({ status }) => status).sort()).toEqual(["denied", "done"]);
});

test("a notification hook hears of a request that was left, with the command that approves it", async () => {
  const heard: string[] = [];
  const { session } = await openTestSession(
    {
      store: `sqlite:${join(await temporaryFolder(), "store.sqlite")}`,
      permissions: { mode: "ask" },
      hooks: { event: (notice) => void (notice.event === "Notification" && heard.push(notice.message)) },
    },
    { dialect: "canonical" },
  );
  const id = idIn(await session.call("file_write", { path: "a", content: "x" }));
  expect(heard).toEqual([expect.stringContaining(`Approve it with: toolwright approve ${id} --workspace `)]);
});

test("an answer is about the folder that a command was to run in, and about the tool as it was then", async () => {
  const { session, person, open, workspace } = await openUnattended();
  await mkdir(join(workspace, "sub"));
  const run = (command: string) => session.call("shell_run", { command });
  await person.approvals.decide(idIn(await run("frobnicate --all")), "allow");
  expect((await run("cd sub")).status).toBe("done");
  idIn(await run("frobnicate --all"));
  expect((await run("cd ..")).status).toBe("done");
  expect((await run("frobnicate --all")).error?.code).not.toBe("approval-needed");

  const tool = (description: string) =>
    defineTool({ name: "send", description, params: {}, run: () => "sent" });
  const asNow = await open("two", [tool("Sends a draft.")]);
  const id = idIn(await asNow.session.call("send", {}));
  await person.approvals.decide(id, "allow");
  const later = await open("three", [tool("Sends everything to everybody.")]);
  expect(idIn(await later.session.call("send", {}))).not.toBe(id);
  expect((await asNow.session.call("send", {})).status).toBe("done");
});
