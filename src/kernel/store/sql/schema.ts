import { StoreError } from "../store.ts";
import { linkFormerLogs } from "./link-former-logs.ts";
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
