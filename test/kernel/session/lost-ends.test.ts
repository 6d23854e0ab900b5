import { expect, test } from "vitest";
import { createSessionLog } from "../../../src/kernel/session/session-log.ts";
import { beginRun, sealLostRuns } from "../../../src/kernel/session/session-run.ts";
import { type Store, StoreError } from "../../../src/kernel/store/store.ts";
import { callEnd } from "../store/events.ts";
import { openTemporaryStore } from "../store/temporary-store.ts";

test("a call whose end could not be written is sealed later, though its session was closed properly", async () => {
  const { store } = await openTemporaryStore();
  let isFull = false;
  const filling: Store = {
    ...store,
    append: (sessionId, entry) =>
      isFull ? Promise.reject(new StoreError("the disk is full")) : store.append(sessionId, entry),
  };
  const log = createSessionLog(filling, "session");
  const run = await beginRun(filling, "session", { log });
  const start = { type: "call-start", callId: "lost", tool: "write", input: {}, inputHash: "" } as const;
  await log.append([{ ...start, caller: { kind: "code", name: "test" }, run: run.id }]);
  isFull = true;
  await expect(log.finish(callEnd("session", "lost"))).rejects.toThrow("the disk is full");
  isFull = false;
  run.end();
  await log.append([{ type: "session-close" }]);

  // The process that could not write it is still alive.
  expect(await sealLostRuns(store, "session")).toEqual([run.id]);
  expect(await store.readReceipts({})).toMatchObject([{ callId: "lost", status: "sealed" }]);
  expect(await sealLostRuns(store, "session")).toEqual([]);
});

test("a run whose calls all have their end leaves nothing to seal", async () => {
  const { store } = await openTemporaryStore();
  const log = createSessionLog(store, "session");
  const run = await beginRun(store, "session", { log });
  await log.finish(callEnd("session", "whole"));
  run.end();
  await log.append([{ type: "session-close" }]);
  expect(await sealLostRuns(store, "session")).toEqual([]);
  expect(await store.readReceipts({})).toHaveLength(1);
});
