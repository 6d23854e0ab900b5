import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { chainHash, linkText } from "../../../src/kernel/store/chain-hash.ts";
import { verifyChain } from "../../../src/kernel/store/verify-chain.ts";
import { pass } from "../../support/pass.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { callEnd, custom, oneTo } from "./events.ts";
import { openTemporaryStore } from "./temporary-store.ts";

const contentChanged = "its content does not match its hash";
const linkBroken = "it is not linked to the event before it";

test.each<{ what: string; change: string | readonly string[]; broken: object }>([
  {
    what: "one byte flipped in a body",
    change: "UPDATE events SET body = replace(body, 'secret 3', 'secret 2') WHERE call_id = 'call_3'",
    broken: { sequence: 5, callId: "call_3", reason: contentChanged },
  },
  {
    what: "an ordinary event that was changed",
    change: "UPDATE events SET body = replace(body, 'between', 'beside') WHERE key % 4294967296 = 4",
    broken: { sequence: 4, reason: contentChanged },
  },
  {
    what: "a changed time",
    change: "UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE key % 4294967296 = 4",
    broken: { sequence: 4, reason: contentChanged },
  },
  {
    what: "a body that is no JSON any more",
    change: "UPDATE events SET body = 'x' || substr(body, 2) WHERE call_id = 'call_2'",
    broken: { sequence: 3, callId: "call_2", reason: contentChanged },
  },
  {
    what: "a body that is no text any more",
    change: "UPDATE events SET body = x'00ff' WHERE call_id = 'call_2'",
    broken: { sequence: 3, callId: "call_2", reason: contentChanged },
  },
  {
    what: "a changed hash",
    change: "UPDATE events SET hash = replace(hash, substr(hash, 1, 1), '-') WHERE call_id = 'call_4'",
    broken: { sequence: 7, callId: "call_4", reason: contentChanged },
  },
  {
    what: "a hash that is gone",
    change: "UPDATE events SET hash = NULL WHERE key % 4294967296 = 4",
    broken: { sequence: 5, callId: "call_3", reason: linkBroken },
  },
  {
    what: "a changed link",
    change: "UPDATE events SET previous_hash = hash WHERE call_id = 'call_4'",
    broken: { sequence: 7, callId: "call_4", reason: linkBroken },
  },
  {
    what: "a receipt gone from the middle",
    change: "DELETE FROM events WHERE call_id = 'call_3'",
    broken: { sequence: 5, reason: "an event is missing" },
  },
  {
    what: "every event gone that is no receipt",
    change: "DELETE FROM events WHERE call_id IS NULL",
    broken: { sequence: 2, reason: "an event is missing" },
  },
  {
    what: "a receipt gone from the middle and the others moved up",
    change: [
      "DELETE FROM events WHERE call_id = 'call_3'",
      "UPDATE events SET position = position - 1 WHERE position > 3",
      ...oneTo(7).map((number) => `UPDATE events SET key = key - 1 WHERE key % 4294967296 = ${number + 5}`),
    ],
    broken: { sequence: 5, reason: contentChanged },
  },
  {
    what: "the first event gone",
    change: "DELETE FROM events WHERE call_id = 'call_1'",
    broken: { sequence: 1, reason: "an event is missing" },
  },
  {
    what: "the last event gone, which is no receipt",
    change: "DELETE FROM events WHERE key % 4294967296 = 12",
    broken: { sequence: 12, reason: "an event is missing at the end" },
  },
  {
    what: "the whole tail gone",
    change: "DELETE FROM events WHERE key % 4294967296 > 4",
    broken: { sequence: 5, reason: "8 events are missing at the end" },
  },
  {
    what: "the whole tail gone, and the recorded end set back to fit",
    change: [
      "DELETE FROM events WHERE key % 4294967296 > 4",
      "UPDATE chains SET (receipts, sequence, hash, last_at) = (SELECT position, 3, hash, at FROM events WHERE call_id = 'call_2')",
    ],
    broken: { sequence: 5, reason: "8 events are missing at the end" },
  },
  {
    what: "everything gone",
    change: "DELETE FROM events",
    broken: { sequence: 1, reason: "12 events are missing at the end" },
  },
  {
    what: "the whole session gone",
    change: ["DELETE FROM events", "DELETE FROM chains", "DELETE FROM sessions"],
    broken: { sequence: 1, reason: "12 events are missing at the end" },
  },
  {
    what: "a receipt that is hidden as an ordinary event",
    change:
      "UPDATE events SET call_id = NULL, position = NULL, previous_hash = NULL WHERE call_id = 'call_5'",
    broken: { sequence: 9, reason: "it is a receipt without its call" },
  },
  {
    what: "an ordinary event that poses as a receipt",
    change: "UPDATE events SET call_id = 'call_x' WHERE key % 4294967296 = 2",
    broken: { sequence: 2, callId: "call_x", reason: "it is not counted as receipt 2" },
  },
  {
    what: "two receipts in each other's place",
    change: swap("key"),
    broken: { sequence: 5, callId: "call_4", reason: "it is not counted as receipt 3" },
  },
  {
    what: "the contents of two receipts in each other's place",
    change: swap("body"),
    broken: { sequence: 5, callId: "call_3", reason: contentChanged },
  },
  {
    what: "a call id that is not the receipt's",
    change: "UPDATE events SET call_id = 'call_x' WHERE call_id = 'call_3'",
    broken: { sequence: 5, callId: "call_x", reason: "its content is for another call than its index says" },
  },
  {
    what: "a recorded end with another hash",
    change: "UPDATE chains SET hash = 'x'",
    broken: { sequence: 11, callId: "call_6", reason: "the last receipt is not the recorded one" },
  },
  {
    what: "a recorded end that lies earlier",
    change:
      "UPDATE chains SET (receipts, sequence, hash) = (SELECT 4, 7, hash FROM events WHERE call_id = 'call_4')",
    broken: { sequence: 7, callId: "call_4", reason: "its time is not the recorded one" },
  },
  {
    what: "a recorded end that lies later",
    change: "UPDATE chains SET sequence = 15, receipts = 9",
    broken: { sequence: 13, reason: "3 events are missing at the end" },
  },
  {
    what: "no recorded end at all",
    change: "DELETE FROM chains",
    broken: {
      sequence: 1,
      callId: "call_1",
      reason: "the log has receipts after the one recorded as the last",
    },
  },
  {
    what: "a chain taken over from another session",
    change: [
      "INSERT INTO sessions SELECT 2, 'other', 'other', workspace, created_at, opened_at, NULL FROM sessions",
      "UPDATE events SET key = key + 4294967296",
      "UPDATE chains SET session_number = 2",
    ],
    broken: { sequence: 1, callId: "call_1", reason: "its content is for another session" },
  },
  {
    what: "a session under another name",
    change: "UPDATE sessions SET id = 'other'",
    broken: { sequence: 1, callId: "call_1", reason: "its content is for another session" },
  },
  {
    what: "a receipt moved to the end of the log",
    change: "UPDATE events SET key = key + 1000 WHERE call_id = 'call_3'",
    broken: { sequence: 5, reason: "an event is missing" },
  },
  {
    what: "a receipt moved to another session",
    change: "UPDATE events SET key = key + 4294967296 WHERE call_id = 'call_3'",
    broken: { sequence: 5, reason: "an event is missing" },
  },
])("$what is found, and the first broken link is named", async ({ change, broken }) => {
  const { store, file } = await openTemporaryStore();
  for (const number of oneTo(6)) {
    const end = callEnd("one", `call_${number}`, `secret ${number}`);
    await store.append("one", { events: [end, custom("between")] });
    await pass(1);
  }
  expect(await verifyChain(store, "one")).toEqual({ sessionId: "one", events: 12, receipts: 6 });
  const statements = typeof change === "string" ? [change] : change;
  tamper(file, statements);
  const names = await store.rawLogs.list();
  const sessionId = statements.some((sql) => sql.includes("'other'")) ? "other" : names[0]!;
  expect((await verifyChain(store, sessionId)).broken).toEqual(broken);
});

test("a forged receipt at the end is found, also when its own link and hash are right", async () => {
  const { store, file } = await openTemporaryStore();
  const last = await store.append("one", { events: [callEnd("one", "call_1")] });
  const body = JSON.stringify(callEnd("one", "forged"));
  const forged = chainHash(last!.hash, linkText({ sequence: 2, at: "", channel: "progress", body }));
  tamper(file, [
    `INSERT INTO events VALUES (4294967296 + 2, '', 'progress', 'forged', 2, '${last!.hash}', '${forged}', '${body}')`,
  ]);
  expect((await verifyChain(store, "one")).broken).toEqual({
    sequence: 2,
    callId: "forged",
    reason: "the log has receipts after the one recorded as the last",
  });
});

test("a chain whose session has no record any more is found by its number, and no other takes its place", async () => {
  const { store, file } = await openTemporaryStore();
  for (const id of ["one", "two"]) await store.append(id, { events: [callEnd(id, `call_${id}`)] });
  await store.close();
  tamper(file, ["DELETE FROM sessions WHERE id = 'two'"]);
  const { store: again } = await openTemporaryStore(file);
  await again.append("three", { events: [callEnd("three", "call_three")] });
  expect(await again.append("two", { events: [callEnd("two", "call_new")] })).toMatchObject({ position: 1 });
  const names = await again.rawLogs.list();
  expect([...names].sort()).toEqual(["one", "session #2", "three", "two"]);
  const reports = await Promise.all(names.map((name) => verifyChain(again, name)));
  expect(reports.filter(({ broken }) => broken !== undefined)).toEqual([
    {
      sessionId: "session #2",
      events: 0,
      receipts: 0,
      broken: { sequence: 1, callId: "call_two", reason: "the record of its session is missing" },
    },
  ]);
  tamper(file, ["DELETE FROM chains", "DELETE FROM sessions"]);
  expect(await again.rawLogs.list()).toEqual(oneTo(4).map((number) => `session #${number}`));
});

test("a chain of more than a page is followed to its end, also while calls go on ending", async () => {
  const { store } = await openTemporaryStore();
  const append = (number: number) => store.append("one", { events: [callEnd("one", `call_${number}`)] });
  await Promise.all(oneTo(1200).map(append));
  let isDone = false;
  const writing = (async () => {
    for (let number = 1201; !isDone && number < 20_000; number++) await append(number);
  })();
  for (const _round of oneTo(10)) {
    const { receipts, broken } = await verifyChain(store, "one");
    expect(broken).toBeUndefined();
    expect(receipts).toBeGreaterThanOrEqual(1200);
  }
  isDone = true;
  await writing;
});

test("a damaged row does not prevent reading the others, and the reader is told where it is", async () => {
  const { store, file } = await openTemporaryStore();
  await store.append("one", {
    events: [callEnd("one", "call_1"), callEnd("one", "call_2")],
    variables: [
      { scope: "one", name: "count", value: 1 },
      { scope: "one", name: "other", value: 2 },
    ],
  });
  tamper(file, [
    "UPDATE events SET body = '{' WHERE call_id = 'call_1'",
    "UPDATE variables SET value = '{' WHERE name = 'count'",
  ]);
  const events = await store.readEvents("one", { since: 0, limit: 9 });
  expect(events.map(({ type, sequence }) => `${sequence} ${type}`)).toEqual(["1 log-damage", "2 call-end"]);
  const told: string[] = [];
  const receipts = await store.readReceipts({}, (place) => told.push(place));
  expect(receipts.map(({ callId }) => callId)).toEqual(["call_2"]);
  expect(await store.readVariables("one", (name) => told.push(name))).toEqual(new Map([["other", 2]]));
  expect(told).toEqual(["event 1 of session one, the receipt of call call_1", "count"]);
  expect((await verifyChain(store, "one")).broken).toMatchObject({ sequence: 1, callId: "call_1" });
});

test("a store whose write-ahead log is lost is noticed, also after it has been written to again", async () => {
  const { store, file } = await openTemporaryStore();
  await store.append("kept", { events: [callEnd("kept", "call_0")] });
  tamper(file, ["PRAGMA wal_checkpoint(TRUNCATE)"]);
  for (const id of ["kept", "lost"]) await store.append(id, { events: [custom("a"), callEnd(id, "call_1")] });
  await store.rawLogs.list();
  const copy = join(temporaryFolder(), "store.sqlite");
  await copyFile(file, copy);
  await copyFile(`${file}-anchors`, `${copy}-anchors`);
  const { store: again } = await openTemporaryStore(copy);
  const verify = async () => {
    const reports = await Promise.all((await again.rawLogs.list()).map((id) => verifyChain(again, id)));
    return reports.map(({ sessionId, broken }) => `${sessionId}: ${broken?.sequence} ${broken?.reason}`);
  };
  expect(await verify()).toEqual([
    "kept: 2 2 events are missing at the end",
    "session #2: 1 2 events are missing at the end",
  ]);
  await again.append("kept", { events: [callEnd("kept", "call_2")] });
  await again.append("lost", { events: [callEnd("lost", "call_2")] });
  expect(await verify()).toEqual([
    "kept: 2 2 events are missing",
    "session #2: 1 2 events are missing at the end",
    "lost: undefined undefined",
  ]);
});

test("a log in which one call ends twice is reported as broken, and one in which a new call has an old id is not", async () => {
  const { store } = await openTemporaryStore();
  const start = { type: "call-start", callId: "a", tool: "t", input: {}, inputHash: "", run: "r" } as const;
  const begin = { ...start, caller: { kind: "code", name: "test" } } as const;
  const sealed = callEnd("one", "a");
  await store.append("one", { events: [begin, callEnd("one", "a"), begin, callEnd("one", "a")] });
  expect((await verifyChain(store, "one")).broken).toBeUndefined();
  await store.append("one", {
    events: [{ ...sealed, receipt: { ...sealed.receipt, status: "sealed" } }],
  });
  expect((await verifyChain(store, "one")).broken).toEqual({
    sequence: 5,
    callId: "a",
    reason: "the call has ended already",
  });
});

/** Exchanges one column of the third and the fourth receipt. */
function swap(column: "key" | "body"): readonly string[] {
  const read = (callId: string) => `(SELECT ${column} FROM events WHERE call_id = '${callId}')`;
  return [
    `CREATE TABLE kept AS SELECT ${read("call_3")} AS third, ${read("call_4")} AS fourth`,
    `UPDATE events SET ${column} = -1 WHERE call_id = 'call_3'`,
    `UPDATE events SET ${column} = (SELECT third FROM kept) WHERE call_id = 'call_4'`,
    `UPDATE events SET ${column} = (SELECT fourth FROM kept) WHERE call_id = 'call_3'`,
  ];
}

function tamper(file: string, statements: readonly string[]): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  for (const sql of statements) database.exec(sql);
  database.close();
}
