import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/kernel/people/approvals.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

const secret = "s3cr3t-of-the-test";

async function openAsked({ budget, store }: { budget?: { calls: number }; store?: string } = {}) {
  const asked: ApprovalRequest[] = [];
  const opened = await openTestSession(
    {
      ...(budget && { budget }),
      ...(store !== undefined && { store }),
      sandbox: "off",
      secrets: [secret],
      permissions: { mode: "ask" },
      onApproval: (request) => {
        asked.push(request);
        return "allow";
      },
    },
    { dialect: "canonical" },
  );
  const requestEvents = async () => {
    const ended = AbortSignal.abort();
    const events = [];
    for await (const event of opened.session.events({ signal: ended }))
      if (event.type === "approval-request") events.push(event);
    return events;
  };
  return { ...opened, asked, requestEvents };
}

test("a request for approval shows the change it would make to the person, in its event and to other processes", async () => {
  const { session, workspace, asked, requestEvents } = await openAsked({ budget: { calls: 1 } });
  await writeFile(join(workspace, "a.txt"), `one\ntwo\nkey ${secret}\n`);
  const edit = { path: "a.txt", old_string: "two", new_string: "three" };
  const { status, error } = await session.call("file_edit", edit);
  expect([status, error]).toEqual(["done", undefined]);
  expect(asked[0]?.preview).toContain("-two\n+three\n key [redacted]");
  const [event] = await requestEvents();
  expect(event?.preview).toBe(asked[0]?.preview);
  expect(event?.verdict?.effects.writes).toEqual(["a.txt"]);
  // Looking at it was no call.
  expect(session.budget.used.calls).toBe(1);
});

test("looking at what would change changes nothing and records nothing, even if the answer is no", async () => {
  const { runtime, session, workspace, asked } = await openAsked();
  await writeFile(join(workspace, "a.txt"), "one\n");
  const denied = await session.call(
    "file_write",
    { path: "a.txt", content: "two\n" },
    {
      onApproval: (request) => {
        asked.push(request);
        return "deny";
      },
    },
  );
  expect(denied.status).toBe("denied");
  expect(asked[0]?.preview).toContain("-one\n+two\n");
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one\n");
  expect(await runtime.receipts()).toHaveLength(1);
});

test("a command, and what may not be read without asking, has no preview; a long one is cut", async () => {
  const { session, workspace, asked } = await openAsked();
  await session.call("shell_run", { command: "touch b" });
  await writeFile(join(workspace, ".env"), "A=1\n");
  await session.call("file_write", { path: ".env", content: "A=2\n" });
  await session.call("file_write", { path: "long.txt", content: "0123456789\n".repeat(4000) });
  expect(asked.map(({ preview }) => preview?.length)).toEqual([undefined, undefined, expect.any(Number)]);
  expect(asked[2]!.preview!.length).toBeLessThanOrEqual(20_000);
  expect(asked[2]!.preview).toContain("[truncated ");
});

test("a finished call keeps the diff of what it changed, with secrets masked and a long one cut", async () => {
  const { runtime, session, workspace } = await openAsked();
  await writeFile(join(workspace, "a.txt"), `one\nkey ${secret}\n`);
  const edited = await session.call("file_edit", { path: "a.txt", old_string: "one", new_string: "two" });
  // What is in the file by now does not matter.
  await writeFile(join(workspace, "a.txt"), "other\n");
  expect(await runtime.readDiff(edited.receipt)).toContain("-one\n+two\n key [redacted]");

  const deleted = await session.call("file_delete", { path: "a.txt" });
  expect(await runtime.readDiff(deleted.receipt)).toContain("deleted file mode");
  const lines = await session.call("file_write", { path: "b.txt", content: "0123456789\n".repeat(5000) });
  expect((await runtime.readDiff(lines.receipt))?.length).toBeLessThanOrEqual(20_000);
  const large = await session.call("file_write", { path: "c.txt", content: "0123456789\n".repeat(50_000) });
  expect(await runtime.readDiff(large.receipt)).toBe("changed, not shown: c.txt\n");
  const undone = await session.undo(lines.callId);
  expect(await runtime.readDiff(undone.receipt)).toContain("deleted file mode");

  const read = await session.call("file_read", { path: "c.txt" });
  expect(await runtime.readDiff(read.receipt)).toBeUndefined();
  expect(await runtime.readDiff({ undo: join(await temporaryFolder(), "x") })).toBeUndefined();
});
