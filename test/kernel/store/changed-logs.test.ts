import { stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { formerHash, type LogRow } from "../../../src/kernel/store/chain-hash.ts";
import { createLogCheck } from "../../../src/kernel/store/log-check.ts";
import type { LogClaims, Store } from "../../../src/kernel/store/store.ts";
import { verifyChain } from "../../../src/kernel/store/verify-chain.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { callEnd, custom, oneTo, progress } from "./events.ts";
import { openTemporaryStore } from "./temporary-store.ts";

test("every flipped bit, every missing event and every two events that change places are noticed", async () => {
  const { store } = await openTemporaryStore();
  await fill(store);
  const { rows, claims } = await readAll(store);
  expect(check(rows, claims)).toBeUndefined();
  expectEveryChangeNoticed(rows, claims, 1);
});

test("every such change is also noticed in the part of a log that an older version wrote, from the day it was taken over", async () => {
  const file = await makeFormerStore();
  const { store } = await openTemporaryStore(file);
  await fill(store);
  const { rows, claims } = await readAll(store);
  expect(claims.former).toMatchObject({ until: 4, receipts: 2 });
  expect(await verifyChain(store, "one")).toEqual({ sessionId: "one", events: 10, receipts: 4 });
  expectEveryChangeNoticed(rows, claims, fuzzRuns({ sample: 13, full: 1 }));
});

test("changed texts in a store's file give a report, and never an error", async () => {
  const { store, file } = await openTemporaryStore();
  await fill(store);
  const random = seededRandom();
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec("CREATE TABLE kept AS SELECT * FROM events");
  for (const _round of oneTo(fuzzRuns({ sample: 40, full: 5000 }))) {
    const column = pick(["at", "channel", "call_id", "previous_hash", "hash", "body"]);
    const where = `WHERE key = ${4294967296 + pick(oneTo(6))}`;
    const [row] = database.prepare(`SELECT CAST(${column} AS BLOB) AS bytes FROM events ${where}`).all();
    if (row!.bytes === null) continue;
    const bytes = Buffer.from(row!.bytes as Uint8Array);
    bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8);
    database.exec(`UPDATE events SET ${column} = CAST(x'${bytes.toString("hex")}' AS TEXT) ${where}`);
    expect((await verifyChain(store, "one")).broken, `${column} ${where}: ${bytes}`).toBeDefined();
    await store.readEvents("one", { since: 0, limit: 99 });
    await store.readReceipts({});
    database.exec("DELETE FROM events; INSERT INTO events SELECT * FROM kept");
  }
  expect((await verifyChain(store, "one")).broken).toBeUndefined();
  database.close();
});

test("a store of the format before is copied before it is changed, and a process of that version can write no more", async () => {
  const file = await makeFormerStore();
  const { store } = await openTemporaryStore(file);
  await store.append("empty", { events: [custom("a")] });
  expect((await verifyChain(store, "empty")).broken).toBeUndefined();
  const copy = new DatabaseSync(`${file}.format-2`);
  expect(copy.prepare("SELECT COUNT(*) AS count FROM events").get()).toEqual({ count: 4 });
  expect(copy.prepare("SELECT version FROM store_version").get()).toEqual({ version: 2 });
  copy.close();
  expect((await stat(`${file}.format-2`)).mode & 0o777).toBe(0o600);
  const older = new DatabaseSync(file, { timeout: 5000 });
  const insert = "INSERT INTO events (key, at, channel, body) VALUES (1, '', '', '')";
  expect(() => older.exec(insert)).toThrow(
    "a newer version of Toolwright uses this store; restart this process",
  );
  older.close();
});

test("a fault in a log of the former format is still found", async () => {
  const file = await makeFormerStore();
  const database = new DatabaseSync(file);
  database.exec("DELETE FROM events WHERE call_id = 'call_2'");
  database.close();
  const { store } = await openTemporaryStore(file);
  await store.append("one", { events: [custom("a")] });
  expect((await verifyChain(store, "one")).broken).toEqual({ sequence: 3, reason: "a receipt is missing" });
});

async function fill(store: Store): Promise<void> {
  await store.append("one", { events: [custom("ä \u{1f600} \ufffd"), progress(1)] });
  await store.append("one", { events: [callEnd("one", "call_8"), custom("b")] });
  await store.append("one", { events: [callEnd("one", "call_9"), custom("c")] });
}

async function readAll(store: Store): Promise<{ rows: readonly LogRow[]; claims: LogClaims }> {
  return {
    claims: await store.rawLogs.readClaims("one"),
    rows: await store.rawLogs.readRows("one", { since: 0, limit: 99 }),
  };
}

function check(rows: readonly LogRow[], claims: LogClaims): unknown {
  const checking = createLogCheck("one", claims);
  for (const row of rows) {
    const broken = checking.take(row);
    if (broken !== undefined) return broken;
  }
  return checking.finish();
}

function expectEveryChangeNoticed(rows: readonly LogRow[], claims: LogClaims, step: number): void {
  const unnoticed: string[] = [];
  const expectNoticed = (what: string, changed: readonly LogRow[], claimed = claims) => {
    if (check(inOrder(changed), claimed) === undefined) unnoticed.push(what);
  };
  for (const [index, row] of rows.entries()) {
    expectNoticed(`without event ${row.sequence}`, rows.toSpliced(index, 1));
    for (const [name, value] of Object.entries(row)) {
      for (const flipped of flips(value, step))
        expectNoticed(
          `${name} of ${row.sequence}: ${flipped}`,
          rows.with(index, { ...row, [name]: flipped }),
        );
    }
    for (const other of rows.slice(index + 1)) {
      const [one, two] = [
        { ...row, sequence: other.sequence },
        { ...other, sequence: row.sequence },
      ];
      expectNoticed(
        `${row.sequence} and ${other.sequence} exchanged`,
        rows.with(index, two).with(rows.indexOf(other), one),
      );
    }
  }
  for (const [part, claim] of Object.entries(claims)) {
    if (part === "lastSequence") continue;
    for (const [name, value] of Object.entries(claim as object)) {
      for (const flipped of flips(value, step))
        expectNoticed(`${part} ${name}: ${flipped}`, rows, {
          ...claims,
          [part]: { ...claim, [name]: flipped },
        });
    }
  }
  expect(unnoticed).toEqual([]);
}

function inOrder(rows: readonly LogRow[]): readonly LogRow[] {
  return rows.toSorted((one, other) => one.sequence - other.sequence);
}

/** The value with each of its bits flipped, or every so many of them, as it would be read again. */
function flips(value: unknown, step: number): readonly unknown[] {
  if (typeof value === "number") return oneTo(8).map((bit) => value ^ (1 << (bit - 1)));
  if (typeof value !== "string") return [];
  const bytes = Buffer.from(value);
  const bits = oneTo(bytes.length * 8).filter((bit) => bit % step === 0);
  return bits.map((bit) => {
    const flipped = Buffer.from(bytes);
    flipped[(bit - 1) >> 3]! ^= 1 << ((bit - 1) & 7);
    return flipped.toString("utf8");
  });
}

/** A store as version 2 of the format had it: two calls with something in between. */
async function makeFormerStore(): Promise<string> {
  const file = `${temporaryFolder()}/store.sqlite`;
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE store_version (version INTEGER NOT NULL); INSERT INTO store_version VALUES (2);
    CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task_id TEXT NOT NULL,
      workspace TEXT NOT NULL, created_at TEXT NOT NULL, opened_at TEXT NOT NULL, closed_at TEXT);
    CREATE TABLE events (key INTEGER PRIMARY KEY, at TEXT NOT NULL, channel TEXT NOT NULL, call_id TEXT,
      position INTEGER, previous_hash TEXT, hash TEXT, body TEXT NOT NULL);
    CREATE TABLE chains (session_number INTEGER PRIMARY KEY, receipts INTEGER NOT NULL, hash TEXT NOT NULL,
      last_at TEXT NOT NULL);
    CREATE TABLE variables (scope TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (scope, name));
    INSERT INTO sessions VALUES (1, 'one', 'one', '/', 't', 't', NULL), (2, 'empty', 'empty', '/', 't', 't', NULL)`);
  let hash = "0".repeat(64);
  const insert = database.prepare("INSERT INTO events VALUES (?, 'then', ?, ?, ?, ?, ?, ?)");
  for (const position of [1, 2]) {
    const key = 4294967296 + position * 2;
    insert.run(key - 1, "monitor", null, null, null, null, JSON.stringify(custom(`between ${position}`)));
    const [before, body] = [hash, JSON.stringify(callEnd("one", `call_${position}`))];
    hash = formerHash(before, body);
    insert.run(key, "progress", `call_${position}`, position, before, hash, body);
  }
  database.prepare("INSERT INTO chains VALUES (1, 2, ?, 'then')").run(hash);
  database.close();
  return file;
}
