import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  defineTool,
  openRuntime,
  type RuntimeOptions,
  type Session,
  type ToolContext,
} from "../../../src/index.ts";
import { snapshot } from "../../capabilities/files/snapshot.ts";
import { openFileSession, putFiles } from "../../support/open-file-session.ts";

const contents = {
  "a.txt": "\ufeffone\r\ntwo\r\n",
  "b.txt": "b\n",
  "run.sh": "#!/bin/sh\n",
  "d/c.txt": "c\n",
  "d/e/f.bin": Buffer.from([0, 1, 2, 255]),
  "x/y.txt": "y\n",
};

async function openSample(options: RuntimeOptions = {}) {
  const opened = await openFileSession(contents, options);
  const { workspace } = opened;
  await chmod(join(workspace, "run.sh"), 0o751);
  await chmod(join(workspace, "d/c.txt"), 0o600);
  await mkdir(join(workspace, "d/empty"), { mode: 0o700 });
  await symlink("c.txt", join(workspace, "d/link"));
  await symlink("nowhere", join(workspace, "dangling"));
  return opened;
}

const calls: readonly { tool: string; input: object }[] = [
  { tool: "file_write", input: { path: "new/deep/x.txt", content: "x" } },
  { tool: "file_write", input: { path: "a.txt", content: "other" } },
  { tool: "file_write", input: { path: "d/link", content: "through the link" } },
  { tool: "file_edit", input: { path: "a.txt", old_string: "two", new_string: "2\n3" } },
  { tool: "file_edit", input: { path: "run.sh", old_string: "sh", new_string: "bash" } },
  {
    tool: "file_multi_edit",
    input: {
      edits: [
        { path: "a.txt", old_string: "one", new_string: "1" },
        { path: "d/c.txt", old_string: "c", new_string: "C" },
      ],
    },
  },
  {
    tool: "file_patch",
    input: {
      patch:
        "*** Begin Patch\n*** Add File: p/q.txt\n+q\n*** Update File: b.txt\n*** Move to: p/b.txt\n@@\n-b\n+B\n*** Delete File: run.sh\n*** End Patch\n",
    },
  },
  { tool: "file_delete", input: { path: "run.sh" } },
  { tool: "file_delete", input: { path: "dangling" } },
  { tool: "file_delete", input: { path: "d/empty" } },
  { tool: "file_delete", input: { path: "d", recursive: true } },
  { tool: "file_mkdir", input: { path: "m/n/o" } },
  { tool: "file_move", input: { source: "d", destination: "m/d" } },
  { tool: "file_move", input: { source: "run.sh", destination: "b.txt", overwrite: true } },
  { tool: "file_move", input: { source: "d", destination: "x", overwrite: true } },
  { tool: "file_copy", input: { source: "d", destination: "m/d" } },
  { tool: "file_copy", input: { source: "d", destination: "x", overwrite: true } },
  { tool: "file_copy", input: { source: "dangling", destination: "dangling2" } },
  { tool: "file_gitignore", input: { action: "add", dir: "d", patterns: ["*.log"] } },
];

describe("undo brings back every byte, mode and link, and redo makes it all again", () => {
  test.each(calls)("$tool $input", async ({ tool, input }) => {
    const { session, workspace } = await openSample();
    const before = await snapshot(workspace);
    const made = await session.call(tool, input);
    expect(made.status).toBe("done");
    const after = await snapshot(workspace);
    expect(after).not.toEqual(before);

    for (const _round of [1, 2]) {
      expect(await session.redo(made.callId)).toMatchObject({
        status: "failed",
        error: { code: "conflict", message: expect.stringContaining("has not been undone") },
      });
      const undone = await session.undo(made.callId);
      expect(undone).toMatchObject({
        status: "done",
        text: expect.stringContaining(`Undid ${made.callId}.`),
        receipt: { tool: "undo", status: "done", verdict: { decision: "allow", permissionClass: "write" } },
      });
      expect(await snapshot(workspace)).toEqual(before);

      expect(await session.undo(made.callId)).toMatchObject({
        status: "failed",
        error: { code: "conflict", message: expect.stringContaining("has already been undone") },
      });
      expect(await snapshot(workspace)).toEqual(before);

      expect(await session.redo(made.callId)).toMatchObject({
        status: "done",
        text: expect.stringContaining(`Redid ${made.callId}.`),
        receipt: { tool: "redo" },
      });
      expect(await snapshot(workspace)).toEqual(after);
    }
  });
});

describe("a change from outside", () => {
  test.each(calls)("is a conflict, and nothing is touched: $tool $input", async ({ tool, input }) => {
    const { session, workspace } = await openSample();
    const { callId, receipt } = await session.call(tool, input);
    // Whatever it wrote last is theirs now.
    const place = join(workspace, receipt.effects.writes.at(-1)!);
    await rm(place, { recursive: true, force: true });
    await mkdir(join(place, ".."), { recursive: true });
    await writeFile(place, "theirs");
    const theirs = await snapshot(workspace);
    const undone = await session.undo(callId);
    expect(undone).toMatchObject({ status: "failed", error: { code: "conflict" } });
    expect(await snapshot(workspace)).toEqual(theirs);
    // Not undone, so there is nothing to redo.
    expect(await session.redo(callId)).toMatchObject({ error: { code: "conflict" } });
  });

  test("after an undo is a conflict for the redo", async () => {
    const { session, workspace } = await openSample();
    const { callId } = await session.call("file_write", { path: "b.txt", content: "mine" });
    await session.undo(callId);
    await writeFile(join(workspace, "b.txt"), "theirs");
    expect(await session.redo(callId)).toMatchObject({ status: "failed", error: { code: "conflict" } });
    expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("theirs");
  });

  test("a later call on the same file stands in the way until it is undone itself", async () => {
    const { session, workspace } = await openSample();
    const first = await session.call("file_edit", { path: "b.txt", old_string: "b", new_string: "c" });
    const second = await session.call("file_edit", { path: "b.txt", old_string: "c", new_string: "d" });
    expect(await session.undo(first.callId)).toMatchObject({ error: { code: "conflict" } });
    expect(await session.undo(second.callId)).toMatchObject({ status: "done" });
    expect(await session.undo(first.callId)).toMatchObject({ status: "done" });
    expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("b\n");
    // What undo wrote is known, so the file is not taken for one that somebody else has changed.
    expect(
      await session.call("file_edit", { path: "b.txt", old_string: "b", new_string: "e" }),
    ).toMatchObject({
      status: "done",
    });
  });

  test("a mode that changed is a conflict as well", async () => {
    const { session, workspace } = await openSample();
    const { callId } = await session.call("file_write", { path: "b.txt", content: "mine" });
    await chmod(join(workspace, "b.txt"), 0o600);
    expect(await session.undo(callId)).toMatchObject({ error: { code: "conflict" } });
  });
});

describe("a refused undo says why", () => {
  test("an unknown call, a read, a refused call, and another session's call", async () => {
    const { runtime, session, workspace } = await openSample({ permissions: { deny: ["file_write(x/**)"] } });
    expect(await session.undo("call_nowhere")).toMatchObject({
      status: "failed",
      error: { code: "not-found" },
      receipt: { tool: "undo" },
    });
    expect(await session.redo("call_nowhere")).toMatchObject({ error: { code: "not-found" } });
    const read = await session.call("file_read", { path: "b.txt" });
    expect(await session.undo(read.callId)).toMatchObject({
      error: { code: "unavailable", message: expect.stringContaining("file_read changed nothing") },
    });
    const denied = await session.call("file_write", { path: "x/y.txt", content: "mine" });
    expect(await session.undo(denied.callId)).toMatchObject({ error: { code: "unavailable" } });
    const written = await session.call("file_write", { path: "b.txt", content: "mine" });
    const other = await runtime.openSession({ mode: "edit" });
    expect(await other.undo(written.callId)).toMatchObject({ error: { code: "not-found" } });
    expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("mine");
  });

  test("two undos of one call at a time: one of them takes it back, the other finds that out", async () => {
    const { session, workspace } = await openSample();
    const { callId } = await session.call("file_write", { path: "b.txt", content: "mine" });
    const both = await Promise.all([session.undo(callId), session.undo(callId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["done", "failed"]);
    expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("b\n");
  });
});

describe("permission", () => {
  /** A write that was let through, and a session on the same store under other rules. */
  async function reopened(
    permissions: NonNullable<RuntimeOptions["permissions"]>,
    more: RuntimeOptions = {},
  ) {
    const place = await openStored();
    const { callId } = await place.inSession({ permissions: { mode: "edit" } }, (session) =>
      session.call("file_write", { path: "x/y.txt", content: "mine" }),
    );
    const result = await place.inSession({ permissions, ...more }, (session) => session.undo(callId));
    return { result, content: await readFile(join(place.workspace, "x/y.txt"), "utf8") };
  }

  test("mode readonly denies, mode ask asks, and who is asked decides", async () => {
    const readonly = await reopened({ mode: "readonly" });
    expect(readonly).toMatchObject({ result: { status: "denied" }, content: "mine" });
    const nobody = await reopened({ mode: "ask" });
    expect(nobody).toMatchObject({ result: { error: { code: "approval-needed" } }, content: "mine" });
    const asked: string[] = [];
    const decide = (answer: "allow" | "deny") =>
      reopened(
        { mode: "ask" },
        {
          onApproval: ({ tool }) => {
            asked.push(tool);
            return answer;
          },
        },
      );
    expect(await decide("deny")).toMatchObject({ result: { status: "denied" }, content: "mine" });
    expect(await decide("allow")).toMatchObject({
      result: { status: "done", receipt: { verdict: { decision: "allow" } } },
      content: "y\n",
    });
    expect(asked).toEqual(["undo", "undo"]);
  });

  test("a rule on the path, by every tool or by the one that wrote, denies the undo", async () => {
    for (const rule of ["*(x/**)", "file_write(x/**)", "Write", "internal_file_write(x/y.txt)"]) {
      const { result, content } = await reopened({ mode: "auto", deny: [rule] });
      expect([rule, result.status, content]).toEqual([rule, "denied", "mine"]);
      expect(result.receipt.verdict).toMatchObject({ decision: "deny", decidedBy: `rule deny: ${rule}` });
    }
    expect(await reopened({ mode: "auto", ask: ["file_write"] })).toMatchObject({
      result: { error: { code: "approval-needed" } },
    });
    expect(await reopened({ mode: "auto", deny: ["file_write(d/**)", "file_read"] })).toMatchObject({
      result: { status: "done" },
    });
  });

  test("an undo that cannot be made is refused for that reason, whatever the mode", async () => {
    const { session } = await openSample({ permissions: { mode: "readonly" } });
    expect(await session.undo("call_nowhere")).toMatchObject({ error: { code: "not-found" } });
  });
});

describe("across a restart", () => {
  test("undo, redo and their order are still known", async () => {
    const place = await openStored();
    const before = await snapshot(place.workspace);
    const options = { permissions: { mode: "edit" } } as const;
    const made = await place.inSession(options, (session) =>
      session.call("file_delete", { path: "d", recursive: true }),
    );
    const after = await snapshot(place.workspace);
    expect(await place.inSession(options, (session) => session.undo(made.callId))).toMatchObject({
      status: "done",
    });
    expect(await snapshot(place.workspace)).toEqual(before);
    expect(await place.inSession(options, (session) => session.undo(made.callId))).toMatchObject({
      error: { code: "conflict" },
    });
    expect(await place.inSession(options, (session) => session.redo(made.callId))).toMatchObject({
      status: "done",
    });
    expect(await snapshot(place.workspace)).toEqual(after);
  });

  test("a file that changed since it was read is still refused", async () => {
    const place = await openStored();
    const options = { permissions: { mode: "edit" } } as const;
    await place.inSession(options, async (session) => {
      await session.call("file_read", { path: "b.txt" });
      await session.call("file_write", { path: "own.txt", content: "mine\n" });
    });
    await writeFile(join(place.workspace, "b.txt"), "theirs\n");
    const later = await place.inSession(options, async (session) => ({
      stale: await session.call("file_edit", { path: "b.txt", old_string: "theirs", new_string: "mine" }),
      own: await session.call("file_edit", { path: "own.txt", old_string: "mine", new_string: "still mine" }),
      unread: await session.call("file_edit", { path: "x/y.txt", old_string: "y", new_string: "z" }),
    }));
    expect(later.stale).toMatchObject({ status: "failed", error: { code: "stale-file" } });
    expect(later.own).toMatchObject({ status: "done", data: { wasUnread: false } });
    expect(later.unread).toMatchObject({ status: "done", data: { wasUnread: true } });
  });
});

describe("a call that did not go well", () => {
  const params = { files: { type: "integer" } } as const;
  const permission = () => ({ action: "write", target: "." }) as const;

  test("and changed files before it failed can be undone", async () => {
    const fails = defineTool({
      name: "fails",
      description: "Writes, then fails.",
      params: {},
      permission,
      async run(_input, { files }) {
        await files.writeText("b.txt", "mine");
        await files.remove("d", { recursive: true });
        throw new Error("no more");
      },
    });
    const { session, workspace } = await openSample({ tools: [fails] });
    const before = await snapshot(workspace);
    const failed = await session.call("fails");
    expect(failed).toMatchObject({
      status: "failed",
      error: { code: "tool-failed" },
      receipt: {
        undo: expect.any(String),
        effects: { writes: expect.arrayContaining(["b.txt", "d/c.txt"]) },
      },
    });
    expect(await session.undo(failed.callId)).toMatchObject({ status: "done" });
    expect(await snapshot(workspace)).toEqual(before);
  });

  test("and was cut off in the midst of writing can be undone, the last write too", async () => {
    const writes = defineTool({
      name: "writes",
      description: "Writes one file after the other, whatever its signal says.",
      params,
      permission,
      async run({ files: count }, { files }) {
        for (let index = 0; index < count; index++) await files.writeText(`many/${index}.txt`, "x");
      },
    });
    const { session, workspace } = await openSample({ tools: [writes] });
    const before = await snapshot(workspace);
    for (const timeoutMs of [5, 10, 15, 20, 25, 30, 35, 40]) {
      const late = await session.call("writes", { files: 1_000_000 }, { timeoutMs });
      expect(late.status).toBe("timed-out");
      const undone = await session.undo(late.callId);
      expect([undone.status, undone.error?.code]).toBeOneOf([
        ["done", undefined],
        ["failed", "unavailable"],
      ]);
      expect(await snapshot(workspace)).toEqual(before);
    }
  });

  test("and was answered for while a write was still under way can be undone", async () => {
    const leaves = defineTool({
      name: "leaves",
      description: "Does not wait for its own write.",
      params: {},
      permission,
      run(_input, { files }) {
        void files.writeText("b.txt", "mine");
        return "done";
      },
    });
    const { session, workspace } = await openSample({ tools: [leaves] });
    const before = await snapshot(workspace);
    const { callId } = await session.call("leaves");
    expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("mine");
    await session.undo(callId);
    expect(await snapshot(workspace)).toEqual(before);
  });
});

describe("a tool with its own undo", () => {
  const done: string[] = [];
  const book = defineTool({
    name: "book",
    description: "Books a seat, and notes it in a file.",
    params: { seat: { type: "string" } },
    permission: ({ seat }) => [{ action: "write", target: `${seat}.txt` }, { action: "execute" }],
    async run({ seat }, { files }) {
      await files.writeText(`${seat}.txt`, "booked");
      done.push(`booked ${seat}`);
      return { number: seat.length };
    },
    undo({ input, output }) {
      done.push(`cancelled ${input.seat}, number ${output.number}`);
    },
  });

  const definition = {
    description: "Lends.",
    params: {},
    permission: () => ({ action: "write", target: "lent" }) as const,
    run: (_input: unknown, { files }: ToolContext) => files.writeText("lent/a.txt", "a"),
  };

  test("gets its input and output, after a restart as well, and its files are brought back too", async () => {
    done.length = 0;
    const place = await openStored();
    const options = { tools: [book], permissions: { mode: "auto" } } as const;
    const before = await snapshot(place.workspace);
    const booked = await place.inSession(options, (session) => session.call("book", { seat: "12a" }));
    expect(await place.inSession(options, (session) => session.undo(booked.callId))).toMatchObject({
      status: "done",
      receipt: { verdict: { permissionClass: "execute" } },
    });
    expect(done).toEqual(["booked 12a", "cancelled 12a, number 3"]);
    expect(await snapshot(place.workspace)).toEqual(before);
    // Its files alone would be half of it.
    const redone = await place.inSession(options, (session) => session.redo(booked.callId));
    expect(redone).toMatchObject({ status: "failed", error: { code: "unavailable" } });
    expect(redone.text).toContain("cannot be redone");
    expect(await snapshot(place.workspace)).toEqual(before);
  });

  test("may take back its files by itself", async () => {
    const lend = defineTool({
      ...definition,
      name: "lend",
      async undo(_done: unknown, { files }: ToolContext) {
        await files.remove("lent/a.txt");
      },
    });
    const { session, workspace } = await openSample({ tools: [lend], permissions: { mode: "auto" } });
    const before = await snapshot(workspace);
    const { callId } = await session.call("lend");
    expect(await session.undo(callId)).toMatchObject({ status: "done" });
    expect(await snapshot(workspace)).toEqual(before);
  });

  test("is not undone where its files have changed, where it may not act, or where it is gone", async () => {
    done.length = 0;
    const place = await openStored();
    const options = { tools: [book], permissions: { mode: "auto" } } as const;
    const { callId } = await place.inSession(options, (session) => session.call("book", { seat: "12a" }));
    const editing = { tools: [book], permissions: { mode: "edit" } } as const;
    expect(await place.inSession(editing, (session) => session.undo(callId))).toMatchObject({
      error: { code: "approval-needed" },
    });
    const gone = { permissions: { mode: "auto" } } as const;
    expect(await place.inSession(gone, (session) => session.undo(callId))).toMatchObject({
      error: { code: "unavailable" },
    });
    await writeFile(join(place.workspace, "12a.txt"), "theirs");
    expect(await place.inSession(options, (session) => session.undo(callId))).toMatchObject({
      error: { code: "conflict" },
    });
    expect(done).toEqual(["booked 12a"]);
    expect(await readFile(join(place.workspace, "12a.txt"), "utf8")).toBe("theirs");
  });
});

test("undos and redos are receipts in the chain like any other call", async () => {
  const { runtime, session } = await openSample();
  const { callId } = await session.call("file_write", { path: "b.txt", content: "mine" });
  await session.undo(callId, { caller: { kind: "person", name: "ann" } });
  await session.redo(callId);
  await session.undo("call_nowhere");
  const receipts = await runtime.receipts({ sessionId: session.id });
  expect(receipts.map(({ tool, status, input, caller }) => [tool, status, input, caller.name])).toEqual([
    ["undo", "failed", { callId: "call_nowhere" }, "toolwright"],
    ["redo", "done", { callId }, "toolwright"],
    ["undo", "done", { callId }, "ann"],
    ["file_write", "done", expect.anything(), "toolwright"],
  ]);
  for (const receipt of receipts.slice(0, 3)) expect(receipt.verdict?.decision).toBe("allow");
  expect(receipts[1]?.effects.writes).toEqual(["b.txt"]);
});

/** A workspace with a store on disk, used by one runtime after the other. */
async function openStored() {
  const { workspace, base } = await openFileSession();
  await putFiles(workspace, contents);
  vi.stubEnv("XDG_STATE_HOME", join(base, "state"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = `sqlite:${join(base, "store.sqlite")}`;
  return {
    workspace,
    async inSession<Result>(options: RuntimeOptions, work: (session: Session) => Promise<Result>) {
      const runtime = await openRuntime({ ...options, workspace, store });
      try {
        return await work(await runtime.openSession({ id: "main" }));
      } finally {
        await runtime.close();
      }
    },
  };
}

test("a rule may speak of undo itself", async () => {
  const { session } = await openFileSession(
    { "a.txt": "one" },
    { permissions: { mode: "edit", deny: ["undo"] } },
  );
  const { callId } = await session.call("file_write", { path: "a.txt", content: "two" });
  expect(await session.undo(callId)).toMatchObject({
    status: "denied",
    error: { code: "permission-denied" },
  });
});
