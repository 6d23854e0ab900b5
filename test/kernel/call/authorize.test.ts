import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { defineTool, type Mode, openRuntime } from "../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { act, claimWrite, echo } from "../../support/sample-tools.ts";
import { stopClock } from "../../support/stop-clock.ts";

const fetchPage = defineTool({
  name: "fetch_page",
  description: "Fetches.",
  params: {},
  traits: { readOnly: true, openWorld: true },
  run: () => "page",
});

test.each<[Mode, Record<string, string>]>([
  ["readonly", { echo: "done", claim_write: "denied", act: "denied", fetch_page: "denied" }],
  ["ask", { echo: "done", claim_write: "denied", act: "denied", fetch_page: "denied" }],
  ["edit", { echo: "done", claim_write: "done", act: "denied", fetch_page: "denied" }],
  ["auto", { echo: "done", claim_write: "done", act: "done", fetch_page: "done" }],
])("mode %s lets through what it says and no more", async (mode, expected) => {
  const { session } = await openTestSession({
    tools: [echo, act, claimWrite, fetchPage],
    permissions: { mode },
  });
  const inputs: Record<string, unknown> = { echo: { text: "x" }, claim_write: { path: "a.txt" } };
  for (const [name, status] of Object.entries(expected)) {
    expect([name, (await session.call(name, inputs[name])).status]).toEqual([name, status]);
  }
});

test("mode edit lets writes through only where it is known that they stay inside", async () => {
  const extra = await temporaryFolder();
  const workspace = await temporaryFolder();
  const somewhere = defineTool({
    name: "write_somewhere",
    description: "Does not say where.",
    params: {},
    permission: () => ({ action: "write" }),
    run: () => "written",
  });
  const { session } = await openTestSession({
    workspace: { root: workspace, extraRoots: [extra] },
    tools: [claimWrite, somewhere],
    permissions: { mode: "edit" },
  });
  expect((await session.explain("claim_write", { path: "a.txt" })).decision).toBe("allow");
  expect((await session.explain("claim_write", { path: join(extra, "a.txt") })).decision).toBe("allow");
  expect((await session.explain("claim_write", { path: "/tmp/a.txt" })).decision).toBe("deny");
  expect((await session.explain("write_somewhere")).decision).toBe("ask");
});

test("a pattern of names binds every tool it fits", async () => {
  const { session } = await openTestSession({
    tools: [echo, act, claimWrite],
    permissions: { mode: "auto", deny: ["c*_write", "ec*"] },
  });
  expect((await session.explain("claim_write", { path: "a" })).decision).toBe("deny");
  expect((await session.explain("echo", { text: "a" })).decision).toBe("deny");
  expect((await session.explain("act")).decision).toBe("allow");
});

test("mode ask denies at once, with the reason, when there is no person to ask", async () => {
  const { session } = await openTestSession({ tools: [act] });
  const result = await session.call("act");
  expect(result).toMatchObject({ status: "denied", error: { code: "approval-needed" } });
  expect(result.error?.message).toContain("nobody to ask");
  expect(await session.explain("act")).toMatchObject({
    decision: "ask",
    decidedBy: "mode ask",
    permissionClass: "execute",
  });
});

test.each<[string, Parameters<typeof openTestSession>[0], string]>([
  ["a rule", { permissions: { deny: ["act"] } }, "act was denied: rule act denies it"],
  [
    "a mode",
    { permissions: { mode: "readonly" } },
    "act was denied: it may do more than read; mode readonly does not allow it",
  ],
  [
    "a hook",
    { hooks: { beforeCall: [() => ({ decision: "deny", reason: "not on Fridays" })] } },
    "act was denied by hook beforeCall[0]: not on Fridays",
  ],
  [
    "a person",
    { onApproval: () => ({ decision: "deny", note: "use the other one" }) },
    "act was denied: the user said no: use the other one (asked because it may do more than read; mode ask requires approval)",
  ],
  [
    "nobody",
    {},
    "act needs approval, but there is nobody to ask: it may do more than read; mode ask requires approval",
  ],
])("a refusal by %s says why", async (_who, options, message) => {
  const { session } = await openTestSession({ tools: [act], ...options });
  expect((await session.call("act")).error?.message).toBe(message);
});

test("a deny rule wins over an allow rule, a mode and a hook", async () => {
  const { session } = await openTestSession({
    tools: [act],
    permissions: { mode: "auto", allow: ["act"], deny: ["act"] },
    onApproval: () => "allow",
  });
  const { receipt } = await session.call("act");
  expect(receipt.verdict).toMatchObject({ decision: "deny", decidedBy: "rule deny: act" });
});

test("an ask rule wins over an allow rule; an allow rule wins over the mode", async () => {
  const asked: string[] = [];
  const { session } = await openTestSession({
    tools: [act, claimWrite],
    permissions: { mode: "readonly", allow: ["act", "claim_write"], ask: ["claim_write"] },
    onApproval: ({ tool }) => {
      asked.push(tool);
      return "allow";
    },
  });
  expect((await session.call("act")).status).toBe("done");
  expect((await session.call("claim_write", { path: "a" })).status).toBe("done");
  expect(asked).toEqual(["claim_write"]);
});

test("rules on paths see where links really lead, and how the path was written", async () => {
  const { session, workspace } = await openTestSession({
    permissions: { deny: ["file_read(secret/**)", "file_read(alias/**)"] },
  });
  await mkdir(join(workspace, "secret"));
  await mkdir(join(workspace, "open"));
  await writeFile(join(workspace, "secret/key.txt"), "s");
  await writeFile(join(workspace, "open/a.txt"), "o");
  await symlink("secret", join(workspace, "link"));
  await symlink("open", join(workspace, "alias"));
  const status = async (path: string) => (await session.call("file_read", { path })).status;
  expect(await status("open/a.txt")).toBe("done");
  expect(await status("secret/key.txt")).toBe("denied");
  expect(await status("link/key.txt")).toBe("denied");
  expect(await status("open/../secret/key.txt")).toBe("denied");
  expect(await status("alias/a.txt")).toBe("denied");
});

test("a rule on a dialect's name binds the tool under every name", async () => {
  const { session, workspace } = await openTestSession({ permissions: { deny: ["Read"] } });
  await writeFile(join(workspace, "a.txt"), "a");
  for (const [name, input] of [
    ["Read", { file_path: join(workspace, "a.txt") }],
    ["FileRead", { file_path: join(workspace, "a.txt") }],
    ["file_read", { path: "a.txt" }],
  ] as const) {
    expect([name, (await session.call(name, input)).status]).toEqual([name, "denied"]);
  }
});

test("a rule that names no known tool is an error that suggests one", async () => {
  await expect(openTestSession({ permissions: { deny: ["Raed"] } })).rejects.toThrow(
    'permissions.deny: there is no tool named "Raed"; did you mean Read?',
  );
  await expect(openTestSession({ permissions: { allow: ["Read(src"] } })).rejects.toThrow("is not a rule");
});

test("containment is lifted by nothing, and the question before a sensitive read only by a rule that names paths", async () => {
  const permissions = { mode: "auto", allow: ["file_read"] } as const;
  const plain = await openTestSession({ permissions });
  await writeFile(join(plain.workspace, ".env"), "KEY=1");
  expect((await plain.session.call("file_read", { path: "/etc/hostname" })).status).toBe("denied");
  expect((await plain.session.call("file_read", { path: ".env" })).error?.code).toBe("approval-needed");

  const lifted = await openTestSession({
    workspace: plain.workspace,
    permissions: { mode: "auto", allow: ["file_read(.env)", "file_read(//etc/**)"] },
  });
  expect((await lifted.session.call("file_read", { path: ".env" })).status).toBe("done");
  expect((await lifted.session.call("file_read", { path: "/etc/hostname" })).status).toBe("denied");
});

test("Toolwright's own records are out of reach even when they lie inside the workspace, kept outputs are not", async () => {
  const workspace = await temporaryFolder();
  vi.stubEnv("XDG_STATE_HOME", join(workspace, "state"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const long = defineTool({
    name: "long",
    description: "Says much.",
    params: {},
    traits: { readOnly: true },
    run: () => "line\n".repeat(20_000),
  });
  const runtime = await openRuntime({ workspace, tools: [long], permissions: { mode: "auto" } });
  onTestFinished(() => runtime.close());
  const session = await runtime.openSession();
  const { storedPath = "" } = await session.call("long");
  const stateFolder = dirname(dirname(dirname(storedPath)));
  expect(await session.call("file_read", { path: join(stateFolder, "store.sqlite") })).toMatchObject({
    status: "denied",
    receipt: { verdict: { decidedBy: "floor" } },
  });
  expect((await session.call("file_read", { path: storedPath, limit: 1 })).text).toContain("line");
});

test("a queued approval waits, is listed, and is answered once", async () => {
  const { session } = await openTestSession({ tools: [act], approvals: "queue" });
  const events = session.events({ channels: ["control"] });
  const calling = session.call("act");
  const { value: asked } = await events.next();
  expect(asked).toMatchObject({ type: "approval-request", tool: "act", channel: "control" });
  expect(asked).toMatchObject({ verdict: { decision: "ask", effects: { opaque: true } } });
  const [request] = session.approvals.list();
  expect(request).toMatchObject({ tool: "act", verdict: { decision: "ask" } });
  session.approvals.decide(request!.id, "allow", { note: "just this once", by: "ada" });
  const result = await calling;
  expect(result.status).toBe("done");
  expect(result.receipt.verdict).toMatchObject({ decision: "allow", decidedBy: "ada" });
  expect(result.receipt.verdict?.reason).toContain("just this once");
  expect(() => session.approvals.decide(request!.id, "deny")).toThrow("is waiting");
  expect((await events.next()).value).toMatchObject({
    type: "approval-decision",
    decision: "allow",
    decidedBy: "ada",
  });
  await events.return();
});

test("a person's no is a denial with the note", async () => {
  const { session } = await openTestSession({
    tools: [act],
    onApproval: () => ({ decision: "deny", note: "use the other one" }),
  });
  const { status, error } = await session.call("act");
  expect(status).toBe("denied");
  expect(error?.message).toContain("use the other one");
});

test.each([
  [
    "throws",
    () => {
      throw new Error("gone");
    },
  ],
  ["answers nonsense", () => "sure" as "allow"],
  ["answers nothing", () => undefined as unknown as "allow"],
])("an approval handler that %s has not allowed anything", async (_how, onApproval) => {
  const { session } = await openTestSession({ tools: [act], onApproval });
  expect((await session.call("act")).status).toBe("denied");
});

test("a waiting call can be cancelled, and its question is withdrawn", async () => {
  const { session } = await openTestSession({ tools: [act], approvals: "queue" });
  const events = session.events({ channels: ["control"] });
  const controller = new AbortController();
  const calling = session.call("act", {}, { signal: controller.signal });
  await events.next();
  controller.abort(new Error("changed my mind"));
  expect(await calling).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
  expect(session.approvals.list()).toEqual([]);
  expect((await events.next()).value).toMatchObject({ type: "approval-decision", decision: "withdrawn" });
  await events.return();
});

test("waiting for a person does not eat the deadline", async () => {
  const { session } = await openTestSession({
    tools: [act],
    timeoutMs: 20,
    async onApproval() {
      await vi.advanceTimersByTimeAsync(60);
      return "allow" as const;
    },
  });
  stopClock();
  expect((await session.call("act")).status).toBe("done");
});

test("a tool whose permission function throws is denied", async () => {
  const broken = defineTool({
    name: "broken",
    description: "Broken.",
    params: {},
    permission: () => {
      throw new Error("oops");
    },
    run: () => "ran",
  });
  const { session } = await openTestSession({ tools: [broken], permissions: { mode: "auto" } });
  expect(await session.call("broken")).toMatchObject({
    status: "denied",
    error: { code: "permission-denied" },
  });
});

test("the strictest of several requests decides, and all of them are in the effects", async () => {
  const copy = defineTool({
    name: "copy",
    description: "Copies.",
    params: { from: { type: "string" }, to: { type: "string" } },
    permission: ({ from, to }) => [
      { action: "read", target: from },
      { action: "write", target: to },
    ],
    run: () => "copied",
  });
  const { session } = await openTestSession({ tools: [copy] });
  expect(await session.explain("copy", { from: "a", to: "b" })).toMatchObject({
    decision: "ask",
    permissionClass: "write",
    effects: { reads: ["a"], writes: ["b"], runs: [], hosts: [], opaque: false },
  });
  expect(await session.explain("copy", { from: "a", to: "../b" })).toMatchObject({
    decision: "deny",
    decidedBy: "floor",
  });
});
