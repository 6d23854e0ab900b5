import { chainStartAfter, createRowDigest, firstFormerHash } from "../chain-hash.ts";
import { StoreError } from "../store.ts";
import { keysPerSession } from "./event-key.ts";
import { readLogRows } from "./event-row.ts";
import { nameByNumber } from "./session-number.ts";
import type { SqlDriver, SqlTransaction } from "./sql-driver.ts";

const version = 3;

/**
 * Every table of the store. Times are ISO 8601 text, bodies are JSON text. Integers need 64 bits: where a database's
 * INTEGER is shorter, the driver must create BIGINT columns.
 */
const tables = [
  `CREATE TABLE IF NOT EXISTS store_version (version INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS sessions (
     number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task_id TEXT NOT NULL, workspace TEXT NOT NULL,
     created_at TEXT NOT NULL, opened_at TEXT NOT NULL, closed_at TEXT)`,
  // The log. `key` holds session and sequence (event-key.ts). The event that ends a call is also its receipt; other
  // events leave `call_id` to `previous_hash` empty. The body is last, because columns after a long one are slow to read.
  `CREATE TABLE IF NOT EXISTS events (
     key INTEGER PRIMARY KEY, at TEXT NOT NULL, channel TEXT NOT NULL,
     call_id TEXT, position INTEGER, previous_hash TEXT, hash TEXT, body TEXT NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS receipts_by_call ON events (call_id) WHERE call_id IS NOT NULL`,
  // The newest receipt of each log, kept separately, so that a removed tail is noticed.
  `CREATE TABLE IF NOT EXISTS chains (
     session_number INTEGER PRIMARY KEY, receipts INTEGER NOT NULL, hash TEXT NOT NULL, last_at TEXT NOT NULL,
     sequence INTEGER NOT NULL DEFAULT 0,
     former_until INTEGER NOT NULL DEFAULT 0, former_receipts INTEGER, former_hash TEXT)`,
  `CREATE TABLE IF NOT EXISTS variables (
     scope TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (scope, name))`,
];

/** How to get from each older format that was ever released to the next one. */
const steps: ReadonlyMap<number, (transaction: SqlTransaction) => Promise<void>> = new Map([
  [2, linkFormerLogs],
]);

/** Creates missing tables, and brings those of an older version to this one's format, after a copy was made. */
export async function prepareSchema(driver: SqlDriver): Promise<void> {
  const found = await readVersion(driver);
  if (found === version) return;
  if (found === undefined) return createTables(driver);
  refuseUnknown(found);
  await driver.backUp(driver.besides(`format-${found}`));
  await driver.transaction(async (transaction) => {
    // Another process may have been faster.
    const [row] = await transaction.query(selectVersion);
    for (let from = Number(row?.version); from < version; from++) {
      await steps.get(from)!(transaction);
      await transaction.run([{ sql: "UPDATE store_version SET version = ?", values: [from + 1] }]);
    }
  });
}

async function createTables(driver: SqlDriver): Promise<void> {
  await driver.transaction(async (transaction) => {
    await transaction.run(tables.map((sql) => ({ sql })));
    // Another process may have been faster.
    const rows = await transaction.query(selectVersion);
    if (rows.length === 0)
      await transaction.run([{ sql: "INSERT INTO store_version VALUES (?)", values: [version] }]);
  });
}

function refuseUnknown(found: number): void {
  if (found > version) {
    throw new StoreError(
      `it has format ${found}, from a newer version of Toolwright; this version knows formats up to ${version}. Update Toolwright, or choose another store`,
    );
  }
  if (steps.has(found)) return;
  throw new StoreError(`it has format ${found}, which this version of Toolwright cannot read`);
}

const selectVersion = "SELECT version FROM store_version";

async function readVersion(driver: SqlDriver): Promise<number | undefined> {
  try {
    const [row] = await driver.query(selectVersion);
    return row === undefined ? undefined : Number(row.version);
  } catch (error) {
    if (/no such table|does not exist/.test((error as Error).message)) return undefined;
    throw new StoreError(`it is not a Toolwright store: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * From format 2, in which only receipts were linked, to 3, in which all events are. Old events stay as they are and are
 * verified by the former rules; the first new one is linked to all of them together.
 */
async function linkFormerLogs(transaction: SqlTransaction): Promise<void> {
  await transaction.run(alterations.map((sql) => ({ sql })));
  for (const session of await transaction.query(selectSessions)) {
    const number = Number(session.number);
    const { until, digest } = await digestLog(transaction, number);
    const [end] = await transaction.query("SELECT * FROM chains WHERE session_number = ?", [number]);
    if (until === 0 && end === undefined) continue;
    const receipts = Number(end?.receipts ?? 0);
    const hash = String(end?.hash ?? firstFormerHash);
    const id = session.id === null ? nameByNumber(number) : String(session.id);
    const start = chainStartAfter(id, { until, receipts, hash }, digest);
    const lastAt = String(end?.last_at ?? "");
    const values = [number, receipts, start, lastAt, until, until, receipts, hash];
    await transaction.run([{ sql: upsertEnd, values }]);
  }
}

const pageSize = 1000;

async function digestLog({ query }: SqlTransaction, number: number) {
  const digest = createRowDigest();
  for (let until = 0; ; ) {
    const rows = await readLogRows(query, { number, since: until, limit: pageSize });
    for (const row of rows) {
      digest.add(row);
      until = row.sequence;
    }
    if (rows.length < pageSize) return { until, digest: digest.end() };
  }
}

const alterations = [
  "ALTER TABLE chains ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE chains ADD COLUMN former_until INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE chains ADD COLUMN former_receipts INTEGER",
  "ALTER TABLE chains ADD COLUMN former_hash TEXT",
  // A process of the older version may still be running, and must not write events without a link.
  `CREATE TRIGGER refuse_unlinked BEFORE INSERT ON events WHEN NEW.hash IS NULL BEGIN
     SELECT RAISE(ABORT, 'a newer version of Toolwright uses this store; restart this process'); END`,
];
const selectSessions = `SELECT logs.number, sessions.id FROM (
    SELECT number FROM sessions UNION SELECT session_number FROM chains
    UNION SELECT DISTINCT key / ${keysPerSession} FROM events) AS logs
  LEFT JOIN sessions ON sessions.number = logs.number ORDER BY logs.number`;

const upsertEnd = `INSERT OR REPLACE INTO chains
  (session_number, receipts, hash, last_at, sequence, former_until, former_receipts, former_hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
