import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSessionLog } from "../../../src/kernel/session/session-log.ts";
import { createMemoryStore } from "../../../src/kernel/store/memory/memory-store.ts";
import { ClaimLost, type Store } from "../../../src/kernel/store/store.ts";

const scope = "session:one";

async function openLog(isSlow: (entry: Parameters<Store["append"]>[1]) => boolean) {
  const store = createMemoryStore();
  await store.openSession({ id: "one", workspace: "/work" });
  const append: Store["append"] = async (sessionId, entry) => {
    // Long enough for everything that was scheduled before it.
    if (isSlow(entry)) for (let turns = 0; turns < 5; turns++) await nextTurn();
    return store.append(sessionId, entry);
  };
  const read = async () => (await store.readVariables(scope)).get("count");
  return { log: createSessionLog({ ...store, append }, "one"), read };
}

test("a claim that is lost takes no variable with it that was noted before", async () => {
  const { log, read } = await openLog(({ requires = [] }) => requires.length > 0);
  log.noteVariable({ scope, name: "count", value: 1 });
  const claiming = log.commit({
    events: [],
    requires: [{ scope: "inbox:one", name: "item", value: "there" }],
  });
  await Promise.all([
    expect(claiming).rejects.toBeInstanceOf(ClaimLost),
    log.append([{ type: "session-close" }]),
  ]);
  expect(await read()).toBe(1);
});

test("a variable that could not be written is written before a flush has ended", async () => {
  let failures = 1;
  const { log, read } = await openLog(() => {
    if (failures-- > 0) throw new Error("the disk is full");
    return false;
  });
  log.noteVariable({ scope, name: "count", value: 2 });
  await nextTurn();
  await log.append([{ type: "session-close" }]);
  await log.flush();
  expect(await read()).toBe(2);
});
