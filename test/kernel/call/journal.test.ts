import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { sha256 } from "../../../src/shared/crypto.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { act, echo } from "../../support/sample-tools.ts";
import { startChild } from "../store/child.ts";

test("a receipt tells who, when, what, by whose leave, with what effect, and is linked to the one before", async () => {
  const { session, runtime } = await openTestSession(
    { tools: [echo] },
    { caller: { kind: "mcp", name: "editor" } },
  );
  const first = await session.call("repeat_back", { text: "hi" });
  const second = await session.call("echo", { text: "hi" });
  expect(first.receipt).toMatchObject({
    callId: first.callId,
    sessionId: session.id,
    caller: { kind: "mcp", name: "editor" },
    tool: "echo",
    calledAs: "repeat_back",
    input: { text: "hi", times: 1 },
    inputHash: sha256('{"text":"hi","times":1}'),
    verdict: { decision: "allow", decidedBy: "mode ask", permissionClass: "read" },
    effects: { reads: [], writes: [], runs: [], hosts: [], opaque: false },
    status: "done",
    resultHash: sha256("hi"),
    position: 1,
    previousHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(Date.parse(first.receipt.startedAt)).toBeCloseTo(Date.now(), -4);
  expect(first.receipt.durationMs).toBeGreaterThan(0);
  expect(await runtime.verify(session.id)).toMatchObject([{ receipts: 2 }]);
  expect(await runtime.receipts()).toEqual([second.receipt, first.receipt]);
});

test("every way out leaves a receipt", async () => {
  const hang = defineTool({
    name: "hang",
    description: "Hangs.",
    params: {},
    traits: { readOnly: true },
    run: () => new Promise<string>(() => {}),
  });
  const { session, runtime } = await openTestSession({ tools: [echo, act, hang] });
  await session.call("nope");
  await session.call("echo", {});
  await session.call("act");
  await session.call("hang", {}, { timeoutMs: 5 });
  await session.call("hang", {}, { signal: AbortSignal.abort() });
  const endings = (await runtime.receipts()).map(({ status, code }) => `${status} ${code}`).sort();
  expect(endings).toEqual([
    "cancelled cancelled",
    "denied approval-needed",
    "failed invalid-input",
    "failed unknown-tool",
    "timed-out timed-out",
  ]);
});

test("secrets never reach the record, but the hash is of the input as it was", async () => {
  const login = defineTool({
    name: "login",
    description: "Logs in.",
    params: { user: { type: "string" }, password: { type: "string" }, note: { type: "string" } },
    traits: { readOnly: true },
    run: () => "ok",
  });
  const { session } = await openTestSession({ tools: [login], secrets: ["open sesame"] });
  const { receipt } = await session.call("login", { user: "ada", password: "p4ss", note: "say open sesame" });
  expect(receipt.input).toEqual({ user: "ada", password: "[redacted]", note: "say [redacted]" });
  expect(receipt.inputHash).toBe(sha256('{"note":"say open sesame","password":"p4ss","user":"ada"}'));
});

test("no part of a receipt shows a secret, and what runs still gets it", async () => {
  const token = `ghp_${"a1".repeat(18)}`;
  const { session, runtime, workspace } = await openTestSession({
    permissions: { mode: "edit", ask: [`file_delete(${token}.txt)`] },
  });
  const path = `${token}.txt`;
  const written = await session.call("file_write", { path, content: "x" });
  expect(written.receipt.effects.writes).toEqual(["[redacted].txt"]);
  expect(written.receipt.inputHash).toBe(sha256(JSON.stringify({ content: "x", path })));
  expect(await readdir(workspace)).toEqual([path]);
  await session.call("file_delete", { path });
  await session.call(token, { [token]: 1 });
  expect((await session.undo(written.callId)).status).toBe("done");
  expect(await readdir(workspace)).toEqual([]);
  const receipts = await runtime.receipts();
  expect(receipts).toHaveLength(4);
  expect(JSON.stringify(receipts)).not.toContain(token);
  expect(receipts.map(({ tool }) => tool)).toContain("[redacted]");
});

test("a question about a call, and its answer, show a secret to the person alone", async () => {
  const seen: string[] = [];
  const { session } = await openTestSession({
    tools: [act],
    secrets: ["open sesame"],
    hooks: { beforeCall: () => ({ decision: "ask", reason: "it says open sesame" }) },
    onApproval: ({ verdict }) => {
      seen.push(verdict.reason);
      return { decision: "allow", note: "open sesame is fine" };
    },
  });
  expect((await session.call("act")).status).toBe("done");
  expect(seen).toEqual([expect.stringContaining("open sesame")]);
  await session.close();
  const events: unknown[] = [];
  for await (const event of session.events()) events.push(event);
  expect(JSON.stringify(events)).not.toContain("open sesame");
});

test("a huge argument is cut in the record and says how long it was", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const { receipt } = await session.call("echo", { text: "x".repeat(1_000_000) });
  const { text } = receipt.input as { text: string };
  expect(text.length).toBeLessThan(10_100);
  expect(text).toContain("[1000000 characters]");
});

test("a name of an argument that is as long as a book is cut, in the message and in the record", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const { receipt, error } = await session.call("echo", { ["x".repeat(1_000_000)]: "y" });
  expect(error?.code).toBe("invalid-input");
  expect(error?.message.length).toBeLessThan(1000);
  const [name = ""] = Object.keys(receipt.input as object);
  expect(name).toMatch(/^x{10000}… \[1000000 characters\]$/);
});

test("the start is on record before the tool has any effect", async () => {
  const seen: string[] = [];
  const look = defineTool({
    name: "look",
    description: "Looks at the log.",
    params: {},
    traits: { readOnly: true },
    run: async () => {
      for await (const event of session.events()) {
        seen.push(event.type);
        if (event.type === "call-start") break;
      }
      return "";
    },
  });
  const { session } = await openTestSession({ tools: [look] });
  await session.call("look");
  expect(seen).toEqual(["session-open", "call-start"]);
});

test("a store that another process holds makes no caller wait longer than it said, and nothing is run", async () => {
  const file = join(await temporaryFolder(), "store.sqlite");
  let ran = 0;
  const count = defineTool({ name: "count", description: "Counts.", params: {}, run: () => ++ran });
  const { session, runtime } = await openTestSession({
    tools: [count],
    store: `sqlite:${file}`,
    permissions: { mode: "auto" },
  });
  const holder = startChild(new URL("../store/child-hold-lock.ts", import.meta.url), [file]);
  expect(await holder.nextLine()).toBe("locked");
  const late = await session.call("count", {}, { timeoutMs: 200 });
  expect(late).toMatchObject({ status: "timed-out", error: { code: "timed-out", retryable: true } });
  expect(late.text).toContain("count was not run");
  holder.tell();
  await holder.rest();
  expect((await session.call("count")).data).toBe(1);
  // What could not be recorded at once was recorded in its place.
  const [second, first] = await runtime.receipts();
  expect([first?.callId, first?.status, second?.status]).toEqual([late.callId, "timed-out", "done"]);
  expect((await runtime.verify()).every(({ broken }) => broken === undefined)).toBe(true);
});

test("a message as long as a book is cut, in the result and in the record", async () => {
  const shout = defineTool({
    name: "shout",
    description: "Fails at length.",
    params: {},
    run: () => {
      throw new Error(`begin ${"x".repeat(5_000_000)} end`);
    },
  });
  const { session } = await openTestSession({ tools: [shout], permissions: { mode: "auto" } });
  const { error, text } = await session.call("shout");
  expect(error?.message.length).toBeLessThanOrEqual(10_000);
  expect(error?.message).toMatch(/^begin x+.*truncated \d+ characters.*x end$/s);
  expect(text.length).toBeLessThan(11_000);
  const unknown = await session.call("y".repeat(5_000_000));
  expect(unknown.text.length).toBeLessThan(25_000);
});

test("a call under an id that another call has gets one of its own, so that each can be undone", async () => {
  const { session } = await openFileSession({ "a.txt": "0" });
  const write = (content: string) => ({ path: "a.txt", content });
  const first = await session.call("file_write", write("1"), { id: "call_0" });
  const second = await session.call("file_write", write("2"), { id: "call_0" });
  expect(first.callId).toBe("call_0");
  expect(second.callId).not.toBe("call_0");
  expect((await session.undo(second.callId)).status).toBe("done");
  expect((await session.undo("call_0")).status).toBe("done");
  expect((await session.call("file_read", { path: "a.txt" })).text).toContain("0");
  const read = { id: "same", name: "file_read", input: { path: "a.txt" } };
  const ids = (await session.callAll([read, read, read])).map(({ callId }) => callId);
  expect(new Set(ids).size).toBe(3);
  expect(ids[0]).toBe("same");
});
