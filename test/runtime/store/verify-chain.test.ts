import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { chainHash } from "../../../src/runtime/store/chain-hash.ts";
import { verifyChain } from "../../../src/runtime/store/verify-chain.ts";
import { callEnd, custom, oneTo } from "./events.ts";
import { openTemporaryStore } from "./temporary-store.ts";

const contentChanged = "its content does not match its hash";
const linkBroken = "it is not linked to the receipt before it";

test.each<{ what: string; change: string | readonly string[]; broken: object }>([
  {
    what: "one byte flipped in a body",
    change: "UPDATE events SET body = replace(body, 'secret 3', 'secret 2') WHERE call_id = 'call_3'",
    broken: { position: 3, callId: "call_3", reason: contentChanged },
  },
  {
    what: "a body that is no JSON any more",
    change: "UPDATE events SET body = 'x' || substr(body, 2) WHERE call_id = 'call_2'",
    broken: { position: 2, callId: "call_2", reason: contentChanged },
  },
  {
    what: "a body that is no text any more",
    change: "UPDATE events SET body = x'00ff' WHERE call_id = 'call_2'",
    broken: { position: 2, callId: "call_2", reason: contentChanged },
  },
  {
    what: "a changed hash",
    change: "UPDATE events SET hash = replace(hash, substr(hash, 1, 1), '-') WHERE call_id = 'call_4'",
    broken: { position: 4, callId: "call_4", reason: contentChanged },
  },
  {
    what: "a changed link",
    change: "UPDATE events SET previous_hash = hash WHERE call_id = 'call_4'",
    broken: { position: 4, callId: "call_4", reason: linkBroken },
  },
  {
    what: "a receipt gone from the middle",
    change: "DELETE FROM events WHERE call_id = 'call_3'",
    broken: { position: 3, reason: "receipt 3 is missing" },
  },
  {
    what: "a receipt gone from the middle and the others moved up",
    change: [
      "DELETE FROM events WHERE call_id = 'call_3'",
      "UPDATE events SET position = position - 1 WHERE position > 3",
    ],
    broken: { position: 3, callId: "call_4", reason: linkBroken },
  },
  {
    what: "the first receipt gone",
    change: "DELETE FROM events WHERE call_id = 'call_1'",
    broken: { position: 1, reason: "receipt 1 is missing" },
  },
  {
    what: "the last receipt gone",
    change: "DELETE FROM events WHERE call_id = 'call_6'",
    broken: { position: 6, reason: "the last receipt is missing" },
  },
  {
    what: "the whole tail gone",
    change: "DELETE FROM events WHERE position > 2",
    broken: { position: 3, reason: "4 receipts are missing at the end" },
  },
  {
    what: "everything gone",
    change: "DELETE FROM events",
    broken: { position: 1, reason: "6 receipts are missing at the end" },
  },
  {
    what: "a receipt that is hidden as an ordinary event",
    change: "UPDATE events SET call_id = NULL WHERE call_id = 'call_5'",
    broken: { position: 5, reason: "receipt 5 is missing" },
  },
  {
    what: "an ordinary event that poses as a receipt",
    change: "UPDATE events SET call_id = 'call_x' WHERE key % 4294967296 = 2",
    broken: { position: 2, reason: "receipt 2 is missing" },
  },
  {
    what: "two receipts in each other's place",
    change: swap("key"),
    broken: { position: 3, reason: "receipt 3 is missing" },
  },
  {
    what: "the contents of two receipts in each other's place",
    change: swap("body"),
    broken: { position: 3, callId: "call_3", reason: contentChanged },
  },
  {
    what: "a call id that is not the receipt's",
    change: "UPDATE events SET call_id = 'call_x' WHERE call_id = 'call_3'",
    broken: {
      position: 3,
      callId: "call_x",
      reason: "its content is for another call than its index says",
    },
  },
  {
    what: "a recorded end with another hash",
    change: "UPDATE chains SET hash = 'x'",
    broken: { position: 6, reason: "the last receipt is not the recorded one" },
  },
  {
    what: "a recorded end that lies earlier",
    change: "UPDATE chains SET receipts = 4",
    broken: { position: 5, reason: "the chain continues past its recorded end" },
  },
  {
    what: "a recorded end that lies later",
    change: "UPDATE chains SET receipts = 9",
    broken: { position: 7, reason: "3 receipts are missing at the end" },
  },
  {
    what: "no recorded end at all",
    change: "DELETE FROM chains",
    broken: { position: 1, reason: "the chain continues past its recorded end" },
  },
  {
    what: "a chain taken over from another session",
    change: [
      "INSERT INTO sessions SELECT 2, 'other', 'other', workspace, created_at, opened_at, NULL FROM sessions",
      "UPDATE events SET key = key + 4294967296",
      "UPDATE chains SET session_number = 2",
    ],
    broken: { position: 1, callId: "call_1", reason: "its content is for another session" },
  },
  {
    what: "a session under another name",
    change: "UPDATE sessions SET id = 'other'",
    broken: { position: 1, callId: "call_1", reason: "its content is for another session" },
  },
  {
    what: "a receipt moved to the end of the log",
    change: "UPDATE events SET key = key + 1000 WHERE call_id = 'call_3'",
    broken: { position: 3, reason: "receipt 3 is missing" },
  },
  {
    what: "a receipt moved to another session",
    change: "UPDATE events SET key = key + 4294967296 WHERE call_id = 'call_3'",
    broken: { position: 3, reason: "receipt 3 is missing" },
  },
])("$what is found, and the first broken link is named", async ({ change, broken }) => {
  const { store, file } = await openTemporaryStore();
  for (const number of oneTo(6)) {
    const end = callEnd("one", `call_${number}`, `secret ${number}`);
    await store.append("one", { events: [end, custom("between")] });
  }
  expect(await verifyChain(store, "one")).toEqual({ sessionId: "one", receipts: 6 });
  const statements = typeof change === "string" ? [change] : change;
  tamper(file, statements);
  const sessionId = statements.some((sql) => sql.includes("'other'")) ? "other" : "one";
  expect((await verifyChain(store, sessionId)).broken).toEqual(broken);
});

test("a forged receipt at the end is found, also when its own link and hash are right", async () => {
  const { store, file } = await openTemporaryStore();
  const last = await store.append("one", { events: [callEnd("one", "call_1")] });
  const body = JSON.stringify(callEnd("one", "forged"));
  tamper(file, [
    `INSERT INTO events VALUES (4294967296 + 2, '', 'progress', 'forged', 2, '${last!.hash}',
      '${chainHash(last!.hash, body)}', '${body}')`,
  ]);
  expect((await verifyChain(store, "one")).broken).toEqual({
    position: 2,
    reason: "the chain continues past its recorded end",
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
  const names = await again.listChains();
  expect([...names].sort()).toEqual(["one", "session #2", "three", "two"]);
  const reports = await Promise.all(names.map((name) => verifyChain(again, name)));
  expect(reports.filter(({ broken }) => broken !== undefined)).toEqual([
    {
      sessionId: "session #2",
      receipts: 0,
      broken: { position: 1, callId: "call_two", reason: "the record of its session is missing" },
    },
  ]);
  tamper(file, ["DELETE FROM chains", "DELETE FROM sessions"]);
  expect(await again.listChains()).toEqual(oneTo(4).map((number) => `session #${number}`));
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

test("a damaged row stops whoever reads it, with an error that says where it is", async () => {
  const { store, file } = await openTemporaryStore();
  await store.append("one", {
    events: [callEnd("one", "call_1")],
    variables: [{ scope: "one", name: "count", value: 1 }],
  });
  tamper(file, ["UPDATE events SET body = '{'", "UPDATE variables SET value = '{'"]);
  const place = "the store is damaged: event 1 of session one cannot be read";
  await expect(store.readEvents("one", { since: 0, limit: 9 })).rejects.toThrow(place);
  await expect(store.readReceipts({})).rejects.toThrow(place);
  await expect(store.readVariables("one")).rejects.toThrow("variable count of one");
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
