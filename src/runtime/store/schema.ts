import { type SqlDriver, StoreError } from "./sql-driver.ts";

const version = 1;

/** Every table of the store. Times are ISO 8601 text, bodies are JSON text. */
const tables = [
  `CREATE TABLE IF NOT EXISTS store_version (version INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS sessions (
     id TEXT PRIMARY KEY, task_id TEXT NOT NULL, workspace TEXT NOT NULL,
     created_at TEXT NOT NULL, opened_at TEXT NOT NULL, closed_at TEXT)`,
  // The log. The event that ends a call is its receipt too: for it alone the columns after the body are filled.
  `CREATE TABLE IF NOT EXISTS events (
     session_id TEXT NOT NULL, sequence INTEGER NOT NULL, at TEXT NOT NULL, channel TEXT NOT NULL, body TEXT NOT NULL,
     call_id TEXT, position INTEGER, previous_hash TEXT, hash TEXT,
     PRIMARY KEY (session_id, sequence)) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS receipts_by_call ON events (call_id) WHERE call_id IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS receipts_by_time ON events (at) WHERE call_id IS NOT NULL`,
  // The end of each chain, kept apart from it, so that cutting off its tail shows.
  `CREATE TABLE IF NOT EXISTS chains (
     session_id TEXT PRIMARY KEY, receipts INTEGER NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS variables (
     scope TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (scope, name)) WITHOUT ROWID`,
];

/** Makes the tables where they are missing, and refuses a store that a newer Toolwright has made. */
export async function prepareSchema(driver: SqlDriver): Promise<void> {
  const found = await readVersion(driver);
  if (found === version) return;
  if (found !== undefined) {
    throw new StoreError(
      `it has format ${found}, made by another version of Toolwright; this one reads format ${version}`,
    );
  }
  await driver.transaction(async (transaction) => {
    await transaction.run(tables.map((sql) => ({ sql })));
    // Another process may have been faster.
    const rows = await transaction.query("SELECT version FROM store_version");
    if (rows.length === 0)
      await transaction.run([{ sql: "INSERT INTO store_version VALUES (?)", values: [version] }]);
  });
}

async function readVersion(driver: SqlDriver): Promise<number | undefined> {
  try {
    const [row] = await driver.query("SELECT version FROM store_version");
    return row === undefined ? undefined : Number(row.version);
  } catch (error) {
    if (/no such table|does not exist/.test((error as Error).message)) return undefined;
    throw new StoreError(`it is not a Toolwright store: ${(error as Error).message}`, { cause: error });
  }
}
