import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import type { Runtime, Session } from "../../../../src/index.ts";
import { openPlaces } from "../../../../src/kernel/runtime/places/open-places.ts";
import { createSessionLog } from "../../../../src/kernel/session/session-log.ts";
import { openTaint } from "../../../../src/kernel/session/session-taint.ts";
import { createPlace } from "../../../e2e/open-temporary-runtime.ts";
import { startChild } from "../../../kernel/store/child.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { until } from "../../../support/until.ts";
import { git, makeRepository } from "../worktrees/make-repository.ts";
import { replaceGit } from "../worktrees/replace-git.ts";
import { familyModel } from "./family-model.ts";

const script = new URL("child-family.ts", import.meta.url);

test("sub-agents whose process was killed have failed, with all that they had begun, and the model is told once", async () => {
  const { workspace, store, open } = await createPlace();
  const family = startChild(script, [workspace, store]);
  expect(await family.nextLine()).toBe("ready");
  const pids = await Promise.all(
    ["grandchild.pid", "beside.pid"].map((name) => readPid(join(workspace, name))),
  );

  // A process beside it does not take them for lost.
  const beside = await open();
  await beside.openSession({ id: "beside" });
  await expect(beside.openSession({ id: "shared" })).rejects.toMatchObject({ code: "session-busy" });
  await beside.close();
  expect(pids.map(isThere)).toEqual([true, true]);

  await family.kill();
  await taintGrandchild({ workspace, store });
  const runtime = await open();
  const session = await runtime.openSession({ id: "shared" });
  expect(session.taint.list()).toEqual([untrusted]);
  const problem = "its process ended before it was done";
  expect(session.agents.list()).toMatchObject([
    { mode: "background", status: "failed", report: { reason: "failed", problem } },
    { mode: "sync", status: "failed", report: { reason: "failed", problem } },
  ]);
  await vi.waitUntil(() => !pids.some(isThere), { timeout: 45_000 });
  await expectSealed(runtime, 4);

  const { model, requests } = familyModel({ PARENT: [{ text: "I see." }, { text: "Yes." }] });
  const agent = runtime.agent({ model, session });
  await agent.run("PARENT, and now?");
  await agent.run("PARENT, anything else?");
  const [first, second] = requests.PARENT!.map(({ prompt }) => JSON.stringify(prompt));
  expect(first!.split("has ended: failed")).toHaveLength(2);
  expect(first).toMatch(
    /\[Reminder [^\]]+\] Agent \w+ has ended: failed\.\\nTask: wait for ever\\nProblem: /,
  );
  expect(second!.split("has ended: failed")).toHaveLength(2);
  await runtime.close();

  const again = await (await open()).openSession({ id: "shared" });
  expect(await toldOf(again)).toEqual(["subagent-end", "subagent-end", "reminder-message"]);
});

test("work that a sub-agent had done in its worktree when its process was killed is on its branch", async () => {
  const { top, around } = await makeRepository();
  const store = `sqlite:${join(around, "store.sqlite")}`;
  const family = startChild(new URL("child-worktree.ts", import.meta.url), [top, store]);
  expect(await family.nextLine()).toBe("ready");
  await family.kill();
  const { session } = await openTestSession({ workspace: top, store }, { id: "shared" });
  await until(() => session.agents.list()[0]?.status !== "in_progress");
  expect(session.agents.list()).toMatchObject([
    { status: "failed", report: { reason: "failed", work: { branch: "half", isKept: true } } },
  ]);
  expect(await git(top, "show", "half:half.txt")).toBe("half\n");
  expect((await git(top, "worktree", "list")).trim().split("\n")).toHaveLength(1);
});

test("a session is open before what a killed one left in a worktree was looked at, and closes though git waits", async () => {
  const { top, around } = await makeRepository();
  const store = `sqlite:${join(around, "store.sqlite")}`;
  const family = startChild(new URL("child-worktree.ts", import.meta.url), [top, store]);
  expect(await family.nextLine()).toBe("ready");
  await family.kill();
  // As if what was left were very large: git works on it until it is stopped.
  await replaceGit(around, "exec sleep 600");
  const { runtime, session } = await openTestSession({ workspace: top, store }, { id: "shared" });
  expect(session.agents.list()).toMatchObject([{ status: "in_progress" }]);
  expect((await session.call("file_list", {})).status).toBe("done");
  await runtime.close();
  vi.unstubAllEnvs();

  // A pipe where git would wait for good: the work is not lost, and it is said where it is.
  const worktree =
    (await git(top, "worktree", "list", "--porcelain")).match(/^worktree (.*half.*|.*agent.*)$/m)?.[1] ?? "";
  await promisify(execFile)("mkfifo", [join(worktree, ".gitattributes")]);
  const { session: next } = await openTestSession({ workspace: top, store }, { id: "shared" });
  await until(() => next.agents.list()[0]?.status !== "in_progress");
  expect(JSON.stringify(next.agents.list())).toContain("is a pipe, a socket or a device");
  expect(await readFile(join(worktree, "half.txt"), "utf8")).toBe("half\n");
});

const untrusted = { kind: "web", name: "example.com" } as const;

/** As if the grandchild had read a page, and the process had ended before its parents were told. */
async function taintGrandchild(options: { workspace: string; store: string }): Promise<void> {
  const { store, close } = await openPlaces(options);
  const sessions = await store.listSessions();
  const depthOf = (id: string | undefined): number => {
    const parent = sessions.find((each) => each.id === id)?.parent;
    return parent === undefined ? 0 : 1 + depthOf(parent.sessionId);
  };
  const { id } = sessions.find((each) => depthOf(each.id) === 2)!;
  const taint = await openTaint({ store, log: createSessionLog(store, id) }, id);
  await taint.add([untrusted]);
  await close();
}

/** The calls that ran when the process ended are in the records of their sessions. */
async function expectSealed(runtime: Runtime, count: number): Promise<void> {
  const sealed = (await runtime.receipts()).filter(({ status }) => status === "sealed");
  expect(sealed.map(({ tool }) => tool).sort()).toEqual(["agent_run", "agent_run", "shell_run", "shell_run"]);
  expect(sealed).toHaveLength(count);
  const open = (await runtime.sessions()).filter(({ closedAt }) => closedAt === undefined);
  expect(open.map(({ id }) => id)).toEqual(["shared"]);
}

async function toldOf(session: Session): Promise<string[]> {
  const told: string[] = [];
  const end = await session.bookmark();
  for await (const { type, sequence } of session.events()) {
    if (type === "subagent-end" || type === "reminder-message") told.push(type);
    if (sequence >= end) break;
  }
  return told;
}

async function readPid(file: string): Promise<number> {
  const text = await vi.waitUntil(() => readFile(file, "utf8").catch(() => ""), { timeout: 45_000 });
  return Number(text);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
