import { expect, test } from "vitest";
import type { TaintSource } from "../../../src/kernel/policy/taint.ts";
import { createSessionLog } from "../../../src/kernel/session/session-log.ts";
import { joinTaints, openTaint } from "../../../src/kernel/session/session-taint.ts";
import { createMemoryStore } from "../../../src/kernel/store/memory/memory-store.ts";

const [page, other]: TaintSource[] = [
  { kind: "web", name: "example.com" },
  { kind: "mcp", name: "search" },
];

/** A store that other processes use too, as they would: by handles of their own. */
function shared() {
  const store = { ...createMemoryStore(), isShared: true };
  let held: Promise<void> | undefined;
  const slow = {
    ...store,
    readVariables: async (scope: string) => {
      const read = await store.readVariables(scope);
      await held;
      return new Map(read);
    },
  };
  const open = (id: string) => openTaint({ store: slow, log: createSessionLog(store, id) }, id);
  return {
    open,
    /** Readers get what was there when they began, once they are let go. */
    holdReaders() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
  };
}

test("a source that is added while the store is read again is not lost", async () => {
  const { open, holdReaders } = shared();
  const taint = await open("one");
  await taint.add([page!]);
  const letGo = holdReaders();
  const refreshing = taint.refresh();
  await taint.add([other!]);
  letGo();
  await refreshing;
  expect(taint.list()).toEqual([page, other]);
  await taint.refresh();
  expect(taint.list()).toEqual([page, other]);
});

test("taint that another process ends is ended here with the next look, for joined sessions too", async () => {
  const { open } = shared();
  const [parent, child, grandchild] = [await open("parent"), await open("child"), await open("grandchild")];
  await joinTaints(parent, child);
  await joinTaints(child, grandchild);
  await grandchild.add([page!]);
  expect([parent, child, grandchild].map((each) => each.list())).toEqual([[page], [page], [page]]);
  await (await open("parent")).clear("person");
  expect(parent.list()).toEqual([page]);
  await parent.refresh();
  expect([parent, child, grandchild].map((each) => each.list())).toEqual([[], [], []]);
  expect((await open("grandchild")).list()).toEqual([]);
});
