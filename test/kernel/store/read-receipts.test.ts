import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SqlDriver } from "../../../src/kernel/store/sql/sql-driver.ts";
import { createSqlStore } from "../../../src/kernel/store/sql/sql-store.ts";
import { openSqliteDriver } from "../../../src/kernel/store/sql/sqlite-driver.ts";
import { openLives } from "../../../src/machine/locks/process-lives.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { callEnd, custom, oneTo } from "./events.ts";
import { noAnchors } from "./no-anchors.ts";

const rounds = fuzzRuns({ sample: 8, full: 40 });

test(`the newest receipts of many sessions are the same as of all of them put in order (${rounds} random logs)`, async () => {
  const random = seededRandom();
  const randomBelow = (end: number) => Math.floor(random() * end);
  for (const _round of oneTo(rounds)) {
    const { store, setTimes } = await openTimedStore();
    const times = oneTo(30).map((number) => ({
      sessionId: `session_${randomBelow(8)}`,
      callId: `call_${number}`,
      time: `2026-01-01T00:00:${String(randomBelow(20)).padStart(2, "0")}.000Z`,
    }));
    times.sort((left, right) => (left.time < right.time ? -1 : 1));
    for (const { sessionId, callId } of times)
      await store.append(sessionId, { events: [custom("between"), callEnd(sessionId, callId)] });
    await setTimes(times);
    const timeOf = new Map(times.map(({ callId, time }) => [callId, time]));
    const inOrder = times.map(({ time }) => time).reverse();
    const all = (await store.readReceipts({})).map(({ callId }) => callId);
    expect(all.map((callId) => timeOf.get(callId))).toEqual(inOrder);
    for (const limit of [0, 1, 2, 5, 29, 30, 31]) {
      const newest = await store.readReceipts({ limit });
      expect(newest.map(({ callId }) => callId)).toEqual(all.slice(0, limit));
    }
  }
});

test("a clock that was set back changes no session's own order", async () => {
  const { store, setTimes } = await openTimedStore();
  const times = [
    { sessionId: "one", callId: "a", time: "2026-01-01T09:00:00.000Z" },
    { sessionId: "one", callId: "b", time: "2026-01-01T05:00:00.000Z" },
    { sessionId: "two", callId: "c", time: "2026-01-01T07:00:00.000Z" },
    { sessionId: "three", callId: "d", time: "2026-01-01T04:00:00.000Z" },
  ];
  for (const { sessionId, callId } of times)
    await store.append(sessionId, { events: [callEnd(sessionId, callId)] });
  await setTimes(times);
  for (const limit of oneTo(4)) {
    const newest = await store.readReceipts({ limit });
    expect(newest.map(({ callId }) => callId)).toEqual(["c", "b", "a", "d"].slice(0, limit));
  }
});

test("sessions that can have nothing among the newest are not read", async () => {
  const { store, setTimes, queries } = await openTimedStore();
  const times = oneTo(50).map((number) => ({
    sessionId: `session_${number}`,
    callId: `call_${number}`,
    time: `2026-01-01T00:00:${String(number).padStart(2, "0")}.000Z`,
  }));
  for (const { sessionId, callId } of times)
    await store.append(sessionId, { events: [callEnd(sessionId, callId)] });
  await setTimes(times);
  const before = queries();
  expect(await store.readReceipts({ limit: 3 })).toHaveLength(3);
  expect(queries() - before).toBeLessThanOrEqual(4);
});

/** A store whose clock is turned afterwards. */
async function openTimedStore() {
  const driver = await openSqliteDriver(join(temporaryFolder(), "store.sqlite"));
  onTestFinished(() => driver.close());
  let count = 0;
  const counted: SqlDriver = {
    ...driver,
    query: (sql, values) => {
      count += 1;
      return driver.query(sql, values);
    },
  };
  const store = await createSqlStore(counted, {
    lives: openLives(temporaryFolder()),
    anchors: noAnchors,
  });
  const setTimes = async (times: readonly { callId: string; time: string }[]) => {
    await store.listSessions();
    await driver.transaction((transaction) =>
      transaction.run([
        ...times.map(({ callId, time }) => ({
          sql: "UPDATE events SET at = ? WHERE call_id = ?",
          values: [time, callId],
        })),
        { sql: "UPDATE chains SET last_at = (SELECT at FROM events WHERE events.hash = chains.hash)" },
      ]),
    );
  };
  return { store, setTimes, queries: () => count };
}
