import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import type { LoggedEvent, Runtime } from "../../../src/index.ts";
import { openPlaces } from "../../../src/kernel/runtime/places/open-places.ts";
import { leaveItem } from "../../../src/kernel/session/inbox/ask-owner.ts";
import { startChild } from "../../kernel/store/child.ts";
import { needs } from "../../support/needs.ts";
import { programFile } from "../../support/programs/program-file.ts";
import { stopClock } from "../../support/stop-clock.ts";
import { suspend } from "../../support/suspend.ts";
import { until } from "../../support/until.ts";
import { createPlace, type Place } from "../open-temporary-runtime.ts";

const script = new URL("child-sessions.ts", import.meta.url);
const run = promisify(execFile);

/** A process that owns the session `shared`, has written `a.txt` there, and has a call that hangs. */
async function startOwner(place: Place) {
  await writeFile(join(place.workspace, "a.txt"), "old");
  const child = startChild(script, ["own", place.workspace, place.store]);
  const { pid, callId }: { pid: number; callId: string } = JSON.parse(await child.nextLine());
  return { child, pid, callId, text: () => readFile(join(place.workspace, "a.txt"), "utf8") };
}

/** Whether something waits for the owner of the session. */
function isAsked({ store }: Place): boolean {
  const database = new DatabaseSync(store.slice("sqlite:".length), { timeout: 5000 });
  const items = database.prepare("SELECT 1 FROM variables WHERE scope = 'inbox:shared'").all();
  database.close();
  return items.length > 0;
}

const statuses = async (runtime: Runtime, callId?: string) =>
  (await runtime.receipts({ sessionId: "shared", ...(callId && { callId }) })).map(({ status }) => status);

test("a session that another process has open is refused at once, by name, whatever time the clock says it is", async () => {
  const place = await createPlace();
  const { pid } = await startOwner(place);
  const runtime = await place.open();
  const refusal = {
    code: "session-busy",
    message: expect.stringContaining(`open in another process (pid ${pid})`),
  };
  await expect(runtime.openSession({ id: "shared" })).rejects.toMatchObject(refusal);
  vi.useFakeTimers({ toFake: ["Date"] });
  for (const days of [400, -400]) {
    vi.setSystemTime(Date.now() + days * 24 * 3_600_000);
    await expect(runtime.openSession({ id: "shared" })).rejects.toMatchObject(refusal);
  }
  vi.useRealTimers();
  expect(await runtime.sessions()).toMatchObject([{ id: "shared", owner: { pid } }]);
});

const testUnshared = await needs("unshare");

testUnshared(
  "a process in another container finds the session owned, and one that owns it there is found as well",
  async () => {
    const place = await createPlace();
    const { child } = await startOwner(place);
    const inside = (job: string) =>
      run("unshare", [
        ...["--pid", "--fork", "--kill-child", "--mount-proc", process.execPath],
        ...[programFile(script), job, place.workspace, place.store],
      ]);
    expect(await inside("beside-open")).toMatchObject({ stdout: "session-busy\n" });
    await child.kill();
    expect(await inside("beside-open")).toMatchObject({ stdout: "opened\n" });
  },
);

test("a suspended process loses its session after ten seconds, and its first write is refused when it goes on", async () => {
  const place = await createPlace();
  const { child, pid } = await startOwner(place);
  suspend(pid, place.store);
  const runtime = await place.open();
  stopClock();
  const opening = runtime.openSession({ id: "shared" });
  await until(() => isAsked(place));
  await vi.advanceTimersByTimeAsync(9000);
  expect(await statuses(runtime, "hanging")).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  vi.useRealTimers();
  const session = await opening;
  expect(await statuses(runtime, "hanging")).toEqual(["sealed"]);
  process.kill(pid, "SIGCONT");
  child.tell();
  expect(JSON.parse(await child.nextLine())).toMatchObject({ status: "failed", code: "session-lost" });
  await child.rest();
  expect(await session.call("note_down", { text: "mine" })).toMatchObject({ status: "done" });
  expect(await statuses(runtime)).toEqual(["done", "sealed", "done"]);
  expect((await runtime.verify("shared"))[0]!.broken).toBeUndefined();
});

test("a request to a suspended owner is refused with its pid, and is not carried out when the owner goes on", async () => {
  const place = await createPlace();
  const { child, pid, callId, text } = await startOwner(place);
  suspend(pid, place.store);
  const runtime = await place.open();
  const remote = await runtime.remoteSession("shared");
  stopClock();
  let left = 4;
  const asked = [
    remote.undo(callId),
    remote.cancel("hanging"),
    remote.setVariable("x", 1),
    remote.decide("some", "allow"),
  ].map((each) => each.catch((error) => error).finally(() => left--));
  await until(async () => {
    await vi.advanceTimersByTimeAsync(500);
    return left === 0;
  });
  vi.useRealTimers();
  for (const told of await Promise.all(asked))
    expect(told).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(`pid ${pid}`),
      retryable: true,
    });
  expect(isAsked(place)).toBe(false);
  process.kill(pid, "SIGCONT");
  expect(await text()).toBe("new");
  expect(await remote.undo(callId)).toMatchObject({ status: "done" });
  expect((await remote.variables()).size).toBe(0);
  expect(await remote.cancel("hanging")).toBe(1);
  expect(JSON.parse(await child.nextLine())).toMatchObject({ status: "done", hanging: "cancelled" });
});

test("the session of a process that was killed is there for the next at once", async () => {
  const place = await createPlace();
  const { child } = await startOwner(place);
  await child.kill();
  const runtime = await place.open();
  const session = await runtime.openSession({ id: "shared" });
  expect(session.resumed).toBe(true);
  expect(await statuses(runtime)).toEqual(["sealed", "done"]);
});

test("other processes follow the session, and its owner undoes, redoes and cancels for them", async () => {
  const place = await createPlace();
  const { child, callId, text } = await startOwner(place);
  const runtime = await place.open();
  const remote = await runtime.remoteSession("shared");
  const following = new AbortController();
  const events: LoggedEvent[] = [];
  const seen = (async () => {
    for await (const event of remote.events({ signal: following.signal })) events.push(event);
  })();
  const undone = await remote.undo(callId);
  expect(undone).toMatchObject({ status: "done", receipt: { sessionId: "shared", tool: "undo" } });
  expect(await text()).toBe("old");
  expect(await remote.redo(callId)).toMatchObject({ status: "done" });
  expect(await text()).toBe("new");
  expect(await remote.redo(callId)).toMatchObject({ status: "failed", error: { code: "conflict" } });
  expect(await remote.cancel("nothing")).toBe(0);
  expect(await remote.cancel("hanging")).toBe(1);
  // The owner goes on when its call has ended, and closes the session.
  expect(JSON.parse(await child.nextLine())).toEqual({ status: "done", hanging: "cancelled" });
  await child.rest();
  expect(await remote.owner()).toBeUndefined();
  // Nobody has it open any more, so this process does it itself.
  expect(await remote.undo(callId)).toMatchObject({ status: "done" });
  expect(await text()).toBe("old");
  following.abort();
  await seen;
  expect(events.filter(({ type }) => type === "call-end").length).toBeGreaterThan(3);
  expect((await runtime.verify("shared"))[0]!.broken).toBeUndefined();
  await expect(runtime.remoteSession("no such")).rejects.toMatchObject({ code: "not-found" });
});

test("a request to an owner that is killed before serving it is carried out once, by the process that asked", async () => {
  const place = await createPlace();
  const { child, pid, callId, text } = await startOwner(place);
  const runtime = await place.open();
  const remote = await runtime.remoteSession("shared");
  suspend(pid, place.store);
  const undoing = remote.undo(callId);
  await child.kill();
  expect(await undoing).toMatchObject({ status: "done" });
  expect(await text()).toBe("old");
  expect(await statuses(runtime)).toEqual(["done", "sealed", "done"]);
});

test("increments of a variable by several processes are never lost, whether one of them owns the session or none does", async () => {
  const place = await createPlace();
  const runtime = await place.open();
  const session = await runtime.openSession({ id: "shared" });
  const count = () =>
    Promise.all(
      [1, 2].map(() => startChild(script, ["beside-count", place.workspace, place.store, "8"]).rest()),
    );
  await count();
  expect(session.variables.get("count")).toBe(16);
  await session.close();
  await count();
  expect((await (await runtime.remoteSession("shared")).variables()).get("count")).toBe(32);
});

test("an undo holds, even if its process is killed as soon as it has reported it", async () => {
  const place = await createPlace();
  await writeFile(join(place.workspace, "a.txt"), "old");
  const child = startChild(script, ["undo", place.workspace, place.store]);
  const [callId = "", status] = (await child.nextLine()).split(" ");
  expect(status).toBe("done");
  const runtime = await place.open();
  const remote = await runtime.remoteSession("shared");
  expect(await remote.redo(callId)).toMatchObject({ status: "done" });
  expect(await readFile(join(place.workspace, "a.txt"), "utf8")).toBe("new");
});

test("an undo that an owner has made, and not answered before it was killed, is not made again by the next", async () => {
  const place = await createPlace();
  const runtime = await place.open();
  const session = await runtime.openSession({ id: "shared" });
  const file = join(place.workspace, "a.txt");
  const { callId } = await session.call("Write", { file_path: file, content: "new" });
  const undone = await session.undo(callId);
  await session.redo(callId);
  await session.close();
  // As if the undo had been asked for by a process that has died meanwhile.
  const { store, close } = await openPlaces(place);
  const caller = { kind: "person", name: "ann" } as const;
  await leaveItem(store, "shared", { kind: "undo", callId, as: undone.callId, caller });
  await close();
  expect(isAsked(place)).toBe(true);
  await runtime.openSession({ id: "shared" });
  await until(() => !isAsked(place));
  expect(await readFile(file, "utf8")).toBe("new");
  expect(await statuses(runtime)).toEqual(["done", "done", "done"]);
});

test("a message for a session that no process has open is read once by its next agent", async () => {
  const place = await createPlace();
  const runtime = await place.open();
  await (await runtime.openSession({ id: "shared" })).close();
  await (await runtime.remoteSession("shared")).send("by the way");
  const prompts: string[] = [];
  for (const text of ["one", "two"]) {
    const model = scriptedModel((request) => {
      prompts.push(JSON.stringify(request.prompt));
      return { text };
    });
    const agent = runtime.agent({ model, session: { id: "shared" } });
    await agent.run("go");
    await until(() => !isAsked(place));
    await (await agent.session()).close();
  }
  expect(prompts.at(-1)!.split("by the way")).toHaveLength(2);
});

const testSlowly = await needs("full run");

testSlowly(
  "one of two processes that undo a call at once does so, while the owner changes the same file and loses nothing",
  async () => {
    const place = await createPlace();
    await writeFile(join(place.workspace, "a.txt"), "first\n\n\n\nlast\n");
    await writeFile(join(place.workspace, "b.txt"), "old");
    const runtime = await place.open();
    const session = await runtime.openSession({ id: "shared" });
    const write = await session.call("file_write", { path: "b.txt", content: "new" });
    const edit = await session.call("file_edit", { path: "a.txt", old_string: "first", new_string: "1st" });
    const undo = (callId: string) =>
      startChild(script, ["beside-undo", place.workspace, place.store, callId]);
    const both = [undo(write.callId), undo(write.callId)];
    const third = undo(edit.callId);
    let isOver = false;
    const ended = Promise.all([...both, third].map((child) => child.rest())).finally(() => {
      isOver = true;
    });
    let added = "";
    for (let count = 1; !isOver; count++) {
      const given = { path: "a.txt", old_string: `last${added}\n`, new_string: `last${added} ${count}\n` };
      if ((await session.call("file_edit", given)).status === "done") added += ` ${count}`;
    }
    const [one, other, turned] = await ended;
    expect([...one!, ...other!].sort()).toEqual(["done", "failed"]);
    expect(await readFile(join(place.workspace, "b.txt"), "utf8")).toBe("old");
    const text = await readFile(join(place.workspace, "a.txt"), "utf8");
    expect(text).toBe(`${turned![0] === "done" ? "first" : "1st"}\n\n\n\nlast${added}\n`);
    expect((await runtime.verify("shared")).map(({ broken }) => broken)).toEqual([undefined]);
  },
);

test("messages sent at once are each read once, and one that no agent could read is refused", async () => {
  const place = await createPlace();
  const runtime = await place.open();
  await (await runtime.openSession({ id: "shared" })).close();
  const remote = await runtime.remoteSession("shared");
  await expect(remote.send("x".repeat(2_000_001))).rejects.toThrow("at most 2000000 characters");
  const words = Array.from({ length: 30 }, (_, index) => `word-${index}.`);
  await Promise.all(words.map((word) => remote.send(word)));
  let prompt = "";
  const model = scriptedModel((request) => {
    prompt = JSON.stringify(request.prompt);
    return { text: "ok" };
  });
  await runtime.agent({ model, session: { id: "shared" } }).run("go");
  await until(() => !isAsked(place));
  for (const word of words) expect(prompt.split(word), word).toHaveLength(2);
});
