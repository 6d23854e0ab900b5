import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SqlDriver } from "../../../../src/kernel/store/sql/sql-driver.ts";
import { createSqlStore } from "../../../../src/kernel/store/sql/sql-store.ts";
import { openSqliteDriver } from "../../../../src/kernel/store/sql/sqlite-driver.ts";
import { verifyChain } from "../../../../src/kernel/store/verify-chain.ts";
import { openLives } from "../../../../src/machine/locks/process-lives.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { allEvents, callEnd, custom, oneTo } from "../events.ts";
import { noAnchors } from "../no-anchors.ts";

test("entries that are appended at once share a transaction and keep their order", async () => {
  const { store, transactions } = await openCountedStore();
  const before = transactions();
  await Promise.all(
    oneTo(500).map((number) => store.append("one", { events: [callEnd("one", `call_${number}`)] })),
  );
  expect(transactions() - before).toBe(1);
  const texts = await store.rawLogs.readRows("one", { since: 0, limit: 1000 });
  expect(texts.map(({ callId }) => callId)).toEqual(oneTo(500).map((number) => `call_${number}`));
  expect(await verifyChain(store, "one")).toMatchObject({ events: 500, receipts: 500 });
});

test("an entry that comes while a transaction runs goes into the next one", async () => {
  const { store, transactions } = await openCountedStore();
  const before = transactions();
  const first = store.append("one", { events: [custom("first")] });
  await untilTransactionsAre(transactions, before + 1);
  const later = [custom("second"), custom("third")].map((event) => store.append("one", { events: [event] }));
  await Promise.all([first, ...later]);
  expect(transactions() - before).toBe(2);
  const events = await allEvents(store, "one");
  expect(events.map((event) => event.type === "custom" && event.eventType)).toEqual([
    "first",
    "second",
    "third",
  ]);
});

test("a transaction that fails rejects the appends in it and no others, and leaves no gap", async () => {
  const { store, driver } = await openCountedStore();
  await refusePoison(driver);
  await store.append("one", { events: [callEnd("one", "before")] });
  const group = [callEnd("one", "beside"), custom("poison"), callEnd("two", "beside")].map((event) =>
    store.append(event.type === "call-end" ? event.receipt.sessionId : "one", { events: [event] }),
  );
  const reading = allEvents(store, "one");
  const results = await Promise.allSettled(group);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(results[0]).toMatchObject({ reason: { name: "StoreError", message: "no poison here" } });
  expect((await reading).map(({ sequence }) => sequence)).toEqual([1]);
  const after = await store.append("one", { events: [callEnd("one", "after")] });
  expect(after).toMatchObject({ position: 2 });
  expect((await allEvents(store, "one")).map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(await allEvents(store, "two")).toEqual([]);
  const report = await verifyChain(store, "one");
  expect(report).toEqual({ sessionId: "one", events: 2, receipts: 2, isUnanchored: true });
});

async function openCountedStore() {
  const driver = await openSqliteDriver(join(temporaryFolder(), "store.sqlite"));
  onTestFinished(() => driver.close());
  let count = 0;
  const counted: SqlDriver = {
    ...driver,
    transaction: (work) => {
      count += 1;
      return driver.transaction(work);
    },
  };
  const store = await createSqlStore(counted, {
    lives: openLives(temporaryFolder()),
    anchors: noAnchors,
  });
  return { store, driver, transactions: () => count };
}

async function untilTransactionsAre(transactions: () => number, wanted: number): Promise<void> {
  while (transactions() < wanted) await Promise.resolve();
}

/** Makes the database itself refuse certain rows. */
async function refusePoison(driver: SqlDriver): Promise<void> {
  await driver.transaction((transaction) =>
    transaction.run([
      {
        sql: `CREATE TRIGGER no_poison BEFORE INSERT ON events WHEN NEW.body LIKE '%poison%'
          BEGIN SELECT RAISE(ABORT, 'no poison here'); END`,
      },
    ]),
  );
}
