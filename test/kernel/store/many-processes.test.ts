import { expect, test } from "vitest";
import { StoreBusy } from "../../../src/kernel/store/store.ts";
import { verifyChain } from "../../../src/kernel/store/verify-chain.ts";
import { startChild } from "./child.ts";
import { allEvents, callEnd, custom, oneTo } from "./events.ts";
import { measureTicks } from "./measure-ticks.ts";
import { openTemporaryStore } from "./temporary-store.ts";

const appendScript = new URL("child-append.ts", import.meta.url);
const suspendScript = new URL("child-suspend-itself.ts", import.meta.url);
const holdLockScript = new URL("child-hold-lock.ts", import.meta.url);

test("four processes that append to one session at once lose, repeat and skip nothing", async () => {
  const { store, file } = await openTemporaryStore();
  const labels = ["a", "b", "c", "d"];
  const children = labels.map((label) => startChild(appendScript, [file, "shared", "300", label]));
  await Promise.all(children.map((child) => child.nextLine()));
  for (const child of children) child.tell();
  await Promise.all(children.map((child) => child.rest()));

  const events = await allEvents(store, "shared");
  expect(events.map(({ sequence }) => sequence)).toEqual(oneTo(1200));
  const names = events.map((event) => (event.type === "custom" ? event.eventType : callIdOf(event)));
  for (const label of labels) {
    const own = names.filter((name) => name.startsWith(label));
    expect(own).toEqual(oneTo(300).map((number) => `${label}_${number - 1}`));
  }
  expect(await verifyChain(store, "shared")).toEqual({
    sessionId: "shared",
    events: 1200,
    receipts: 600,
  });
}, 60_000);

test("a new store that many processes open at once is opened by all", async () => {
  const { store, file } = await openTemporaryStore();
  await store.close();
  const fresh = `${file}-fresh`;
  const children = ["a", "b", "c", "d"].map((label) => startChild(appendScript, [fresh, label, "2", label]));
  for (const child of children) child.tell();
  await Promise.all(children.map((child) => child.rest()));
  const reopened = await openTemporaryStore(fresh);
  for (const label of ["a", "b", "c", "d"]) expect(await reopened.store.readLastSequence(label)).toBe(2);
}, 60_000);

test("while another process holds the write lock the event loop goes on, and afterwards the append succeeds", async () => {
  const { store, file } = await openTemporaryStore();
  const child = startChild(holdLockScript, [file]);
  await child.nextLine();
  let isWritten = false;
  const append = Promise.resolve(store.append("one", { events: [custom("late")] })).then(() => {
    isWritten = true;
  });
  const gaps = await measureTicks(100);
  expect(isWritten).toBe(false);
  expect(gaps).toHaveLength(100);
  child.tell();
  await append;
  expect(await store.readLastSequence("one")).toBe(1);
});

test("a store's lock that is never released gives an error once patience is over, and the store works again afterwards", async () => {
  const { store, file } = await openTemporaryStore(undefined, { patienceMs: 100 });
  const child = startChild(holdLockScript, [file]);
  await child.nextLine();
  await expect(store.append("one", { events: [callEnd("one", "a")] })).rejects.toMatchObject({
    name: "StoreError",
    message: expect.stringContaining(
      "has kept the store locked for 0.1 s; if it is suspended, resume it or end it",
    ),
  });
  child.tell();
  await child.rest();
  expect(await store.append("one", { events: [callEnd("one", "b")] })).toMatchObject({ position: 1 });
});

test("a process that waits for one suspended inside a transaction is told its pid, and nothing is lost when that goes on", async () => {
  const { store, file } = await openTemporaryStore(undefined, { patienceMs: 100 });
  const child = startChild(suspendScript, [file, "one"]);
  await child.nextLine();
  const refusal = await (async () => store.append("one", { events: [callEnd("one", "a")] }))().catch(
    (error: Error) => error,
  );
  expect(refusal).toBeInstanceOf(StoreBusy);
  if (process.platform === "linux")
    expect(refusal).toMatchObject({ message: expect.stringContaining(`process ${child.pid} has`) });
  // What is on record can be read all the same.
  expect(await store.readReceipts({ sessionId: "one" })).toHaveLength(1);
  process.kill(child.pid, "SIGCONT");
  expect(await child.rest()).toEqual(["2"]);
  expect(await store.append("one", { events: [callEnd("one", "b")] })).toMatchObject({ position: 3 });
  expect(await verifyChain(store, "one")).toMatchObject({ receipts: 3 });
});

test("a process that is killed while suspended inside a transaction leaves nothing of it, and no lock", async () => {
  const { store, file } = await openTemporaryStore();
  const child = startChild(suspendScript, [file, "one"]);
  await child.nextLine();
  const waiting = store.append("one", { events: [callEnd("one", "a")] });
  await child.kill();
  expect(await waiting).toMatchObject({ position: 2 });
  const receipts = await store.readReceipts({ sessionId: "one" });
  expect(receipts.map(({ callId }) => callId)).toEqual(["a", "first"]);
  expect((await verifyChain(store, "one")).broken).toBeUndefined();
});

test("a store is read while another process holds the write lock", async () => {
  const { store, file } = await openTemporaryStore();
  await store.append("one", { events: [custom("a")] });
  const child = startChild(holdLockScript, [file]);
  await child.nextLine();
  const second = await openTemporaryStore(file, { patienceMs: 0 });
  expect(await second.store.readLastSequence("one")).toBe(1);
});

function callIdOf(event: object): string {
  return "callId" in event ? String(event.callId) : "";
}
