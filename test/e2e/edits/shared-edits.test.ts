import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type CallResult, openRuntime, type Session } from "../../../src/index.ts";
import { openKernelLock } from "../../../src/machine/locks/kernel-lock.ts";
import { openLockFolder } from "../../../src/machine/locks/state-base.ts";
import { startChild } from "../../kernel/store/child.ts";
import { oneTo } from "../../kernel/store/events.ts";
import { fuzzRuns } from "../../support/fuzz.ts";
import { openFileSession, putFiles } from "../../support/open-file-session.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { pass } from "../../support/pass.ts";
import { createPlace } from "../open-temporary-runtime.ts";
import { addLines } from "./add-lines.ts";

beforeEach(async () => {
  // The lock of whoever runs the test is left alone.
  vi.stubEnv("XDG_STATE_HOME", await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
});

const script = new URL("child-edit.ts", import.meta.url);
const processes = fuzzRuns({ sample: 2, full: 8 });
const edits = fuzzRuns({ sample: 6, full: 60 });

test.each([
  { what: "", homes: 1 },
  { what: " that share the store and nothing else, as containers do,", homes: processes },
])(
  `every edit that ${processes} processes$what were told is done is in the file (${edits} each)`,
  async ({ homes }) => {
    const { workspace, store } = await createPlace();
    await putFiles(workspace, { "shared.txt": "first\n" });
    const children = [];
    for (const number of oneTo(processes)) {
      if (number <= homes) vi.stubEnv("XDG_STATE_HOME", await temporaryFolder());
      children.push(startChild(script, [workspace, store, `process${number}`, String(edits)]));
    }
    for (const child of children) await child.nextLine();
    for (const child of children) child.tell();
    const done = (await Promise.all(children.map((child) => child.rest()))).flat();
    expect(done).toHaveLength(processes * edits);
    expect(await linesOf(workspace)).toEqual(["first", ...done].sort());
    expect(await readdir(workspace)).toEqual(["shared.txt"]);
  },
  600_000,
);

test("every edit that two runtimes and two sessions of one process were told is done is in the file", async () => {
  const { workspace, session } = await openFileSession({ "shared.txt": "first\n" });
  const second = await openAnother(workspace);
  const third = await openAnother(workspace);
  const sessions = [session, second, third];
  const done = await Promise.all(sessions.map((each, index) => addLines(each, `session${index}`, 6)));
  expect(await linesOf(workspace)).toEqual(["first", ...done.flat()].sort());
});

async function openAnother(workspace: string): Promise<Session> {
  const runtime = await openRuntime({ workspace, store: "memory:", permissions: { mode: "edit" } });
  onTestFinished(() => runtime.close());
  return runtime.openSession();
}

async function linesOf(workspace: string): Promise<string[]> {
  const text = await readFile(join(workspace, "shared.txt"), "utf8");
  return text.trimEnd().split("\n").sort();
}

const notebook = JSON.stringify({
  cells: [{ cell_type: "code", id: "a", metadata: {}, outputs: [], execution_count: null, source: "1" }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

/** Each way to change or remove `file`, with what it takes. */
const ways: Readonly<Record<string, { file: string; call: (session: Session) => Promise<CallResult> }>> = {
  edit: way("a.txt", "file_edit", { path: "a.txt", old_string: "one", new_string: "mine" }),
  write: way("a.txt", "file_write", { path: "a.txt", content: "mine" }),
  "write to a new path": way("new.txt", "file_write", { path: "new.txt", content: "mine" }),
  multi_edit: way("b.txt", "file_multi_edit", {
    edits: [
      { path: "a.txt", old_string: "one", new_string: "mine" },
      { path: "b.txt", old_string: "two", new_string: "mine" },
    ],
  }),
  patch: way("a.txt", "file_patch", {
    patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+mine\n*** End Patch",
  }),
  "patch that deletes": way("a.txt", "file_patch", {
    patch: "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch",
  }),
  notebook: way("n.ipynb", "file_notebook", { path: "n.ipynb", cell_id: "a", new_source: "mine" }),
  gitignore: way(".gitignore", "file_gitignore", { action: "add", patterns: ["mine"] }),
  move: way("a.txt", "file_move", { source: "a.txt", destination: "moved.txt" }),
  "move onto a file": way("b.txt", "file_move", { source: "a.txt", destination: "b.txt", overwrite: true }),
  "move to a free path": way("new.txt", "file_move", { source: "a.txt", destination: "new.txt" }),
  "copy onto a file": way("b.txt", "file_copy", { source: "a.txt", destination: "b.txt", overwrite: true }),
  "copy to a free path": way("new.txt", "file_copy", { source: "a.txt", destination: "new.txt" }),
  "copy onto a folder": way("to/c.txt", "file_copy", { source: "from", destination: "to", overwrite: true }),
  delete: way("a.txt", "file_delete", { path: "a.txt" }),
  "delete of a folder": way("to/c.txt", "file_delete", { path: "to", recursive: true }),
};

function way(file: string, tool: string, input: Record<string, unknown>) {
  return { file, call: (session: Session) => session.call(tool, input) };
}

const contents = {
  "a.txt": "one\n",
  "b.txt": "two\n",
  "n.ipynb": notebook,
  ".gitignore": "x\n",
  "from/c.txt": "three\n",
  "to/c.txt": "four\n",
};

describe("a write by another program just before a change is made is not lost", () => {
  test.each(Object.entries(ways))("to %s", async (_name, { file, call }) => {
    const { workspace, session } = await openFileSession(contents);
    const theirs = await writeMeanwhile(join(workspace, file), () => call(session));
    await expectKept(session, theirs);
  });

  test.each(["undo", "redo"] as const)("to %s", async (direction) => {
    const { workspace, session } = await openFileSession(contents);
    const { callId } = await ways.edit!.call(session);
    if (direction === "redo") await session.undo(callId);
    const theirs = await writeMeanwhile(join(workspace, "a.txt"), () => session[direction](callId));
    expect(theirs.result).toMatchObject({ status: "failed", error: { code: "conflict" } });
    expect(await readFile(theirs.file, "utf8")).toBe(theirs.text);
  });
});

test.each(["files", "steps"])(
  "a step of a change waits while another process has the lock %s",
  async (lock) => {
    const { workspace, store, open } = await createPlace();
    await putFiles(workspace, { "a.txt": "one\n" });
    const session = await (await open()).openSession();
    await session.call("file_write", { path: "first.txt", content: "x" });
    const folder = lock === "files" ? openLockFolder() : `${store.slice("sqlite:".length)}-intents`;
    const held = openKernelLock(join(folder, `${lock}.lock`));
    onTestFinished(() => held.close());
    expect(held.take()).toBe(true);
    const calling = session.call("file_write", { path: "second.txt", content: "x" });
    await pass(30);
    expect(await readdir(workspace)).not.toContain("second.txt");
    held.release();
    expect(await calling).toMatchObject({ status: "done" });
  },
);

/** Writes while the change waits to be made: nobody can make one who does not have the lock. */
async function writeMeanwhile(file: string, change: () => Promise<CallResult>) {
  const lock = openKernelLock(join(openLockFolder(), "files.lock"));
  lock.take();
  try {
    const calling = change();
    await pass(30);
    const text = file.endsWith(".ipynb") ? `${notebook}\n` : "one\ntwo\ntheirs\n";
    await writeFile(file, text);
    lock.release();
    return { file, text, result: await calling };
  } finally {
    lock.close();
  }
}

/** It is there, or it comes back when the change is undone, which had then seen it. */
async function expectKept(
  session: Session,
  { file, text, result }: Awaited<ReturnType<typeof writeMeanwhile>>,
): Promise<void> {
  if (result.status === "done") expect(await session.undo(result.callId)).toMatchObject({ status: "done" });
  // A call that began late has read what they wrote.
  // Of a notebook, perhaps before all of it was written.
  else
    expect(["stale-file", "conflict", "already-exists", "no-match", "unsupported"]).toContain(
      result.error?.code,
    );
  expect(await readFile(file, "utf8")).toBe(text);
}
