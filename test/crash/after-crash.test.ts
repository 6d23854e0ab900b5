import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRuntime } from "../../src/open-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { until } from "../support/until.ts";
import { makeChange, prepare, startChange } from "./crash-place.ts";
import { describeTree, findFaults, findLeftIntents } from "./inspect-crash.ts";

test("a file that is changed between a crash and the next start is left alone, and the rest of the change is taken back", async () => {
  const place = await prepare();
  // Two of three files are changed.
  const { told } = await makeChange(place, "multi edit", "renameSync:3");
  expect(told).toBeUndefined();
  const read = (name: string) => readFile(join(place.workspace, name), "utf8");
  expect(await Promise.all(["a.txt", "b.txt", "c.txt"].map(read))).toEqual(["eins\n", "zwei\n", "three\n"]);
  await writeFile(join(place.workspace, "b.txt"), "zwei and theirs\n");

  const runtime = await place.open();
  const session = await runtime.openSession({ id: "another" });
  expect(await Promise.all(["a.txt", "b.txt", "c.txt"].map(read))).toEqual([
    "one\n",
    "zwei and theirs\n",
    "three\n",
  ]);
  const [receipt] = await runtime.receipts();
  expect(receipt).toMatchObject({
    status: "sealed",
    effects: { writes: ["b.txt"] },
    changes: [{ path: "b.txt", before: { kind: "file" }, after: { kind: "file" } }],
  });
  // Whatever was there is still known, and undo does not overwrite what they wrote.
  const shared = await runtime.openSession({ id: "killed" });
  expect(await shared.undo(receipt!.callId)).toMatchObject({ status: "failed", error: { code: "conflict" } });
  expect(await read("b.txt")).toBe("zwei and theirs\n");
  await session.close();
});

test("an undo that was reported as done can be redone, though its process was killed at that moment", async () => {
  const place = await prepare();
  const { ready, told } = await makeChange(place, "undo a multi edit", "told");
  expect(told).toMatchObject({ status: "done" });
  const runtime = await place.open();
  const session = await runtime.openSession({ id: "killed" });
  expect((await session.redo(ready.first!)).status).toBe("done");
  expect(await readFile(join(place.workspace, "a.txt"), "utf8")).toBe("eins\n");
});

test("a change that a suspended process has half made is left alone, and the process finishes it when it goes on", async () => {
  const place = await prepare();
  const options = { boundary: "renameSync:3", signal: "SIGSTOP" };
  const { child, ready } = await startChange(place, "multi edit", options);
  child.tell();
  await until(async () => (await stateOf(ready.ready)) === "T");
  const halfDone = await describeTree(place.workspace);

  const runtime = await place.open();
  const session = await runtime.openSession();
  expect(await describeTree(place.workspace)).toEqual(halfDone);
  process.kill(ready.ready, "SIGCONT");
  expect(JSON.parse(await child.nextLine())).toMatchObject({ status: "done" });
  await child.rest();
  expect(await readFile(join(place.workspace, "c.txt"), "utf8")).toBe("drei\n");
  await session.close();
});

async function stateOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2)[0];
}

test("a call that waited for approval when its process was killed has an end, and so has the approval", async () => {
  const place = await prepare();
  const child = startChild(new URL("child-wait.ts", import.meta.url), [place.workspace, place.store]);
  const callId = await child.nextLine();
  await child.kill();
  const runtime = await place.open();
  const session = await runtime.openSession({ id: "killed" });
  expect(await runtime.receipts()).toMatchObject([
    { callId, tool: "file_write", status: "cancelled", code: "cancelled", effects: { writes: [] } },
  ]);
  const events: string[] = [];
  for await (const event of session.events()) {
    events.push(event.type);
    if (event.type === "approval-decision") expect(event).toMatchObject({ callId, decision: "withdrawn" });
    if (event.type === "call-end") break;
  }
  expect(events.filter((type) => type.startsWith("approval-"))).toEqual([
    "approval-request",
    "approval-decision",
  ]);
  expect(await findFaults(runtime, "killed")).toEqual([]);
});

test.each(["before", "after"] as const)(
  "a call whose process was killed %s it was approved succeeds once when it is made again",
  async (when) => {
    const place = await prepare();
    const words = [place.workspace, place.store, ...(when === "after" ? ["stuck"] : [])];
    const child = startChild(new URL("child-wait.ts", import.meta.url), words);
    await child.nextLine();
    if (when === "before") await child.kill();
    const { workspace, store } = place;
    const runtime = await openRuntime({ workspace, store, permissions: { mode: "ask" } });
    onTestFinished(() => runtime.close());
    const [waiting] = await runtime.approvals.list();
    await runtime.approvals.decide(waiting!.id, "allow");
    const later = await runtime.openSession({ id: "later" });
    const call = () => later.call("file_write", { path: "a.txt", content: "mine" });
    if (when === "after") {
      // The answer is the other call's as long as its process lives.
      expect(await call()).toMatchObject({ status: "denied", error: { code: "approval-needed" } });
      await child.kill();
    }
    expect(await call()).toMatchObject({ status: "done" });
    expect(await readFile(join(place.workspace, "a.txt"), "utf8")).toBe("mine");
    expect(await call()).toMatchObject({ status: "denied", error: { code: "approval-needed" } });
  },
);

test("a change half made by a killed process with a store in memory is taken back by the next process, whichever store that has", async () => {
  const place = await prepare();
  await makeChange({ ...place, store: "memory:" }, "copy onto a folder", "renameSync:2");
  const runtime = await place.open();
  await runtime.openSession();
  const plain = await prepare();
  expect(await describeTree(place.workspace)).toEqual(await describeTree(plain.workspace));
  await runtime.close();
  expect(await findLeftIntents(join(dirname(place.workspace), "store.sqlite"))).toEqual([]);
});
