import { type SqlDriver, StoreError } from "./sql-driver.ts";

const version = 1;

/** Every table of the store. Times are ISO 8601 text, bodies are JSON text. */
const tables = [
  `CREATE TABLE IF NOT EXISTS store_version (version INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS sessions (
     id TEXT PRIMARY KEY, task_id TEXT NOT NULL, workspace TEXT NOT NULL,
     created_at TEXT NOT NULL, opened_at TEXT NOT NULL, closed_at TEXT)`,
  // Kept apart from what it counts, so that cutting off the end of a log or chain shows.
  `CREATE TABLE IF NOT EXISTS heads (
     session_id TEXT PRIMARY KEY, last_sequence INTEGER NOT NULL,
     receipt_count INTEGER NOT NULL, receipt_hash TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS events (
     session_id TEXT NOT NULL, sequence INTEGER NOT NULL, at TEXT NOT NULL,
     channel TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (session_id, sequence))`,
  `CREATE TABLE IF NOT EXISTS receipts (
     session_id TEXT NOT NULL, position INTEGER NOT NULL, call_id TEXT NOT NULL, started_at TEXT NOT NULL,
     body TEXT NOT NULL, previous_hash TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (session_id, position))`,
  `CREATE INDEX IF NOT EXISTS receipts_by_call ON receipts (call_id)`,
  `CREATE INDEX IF NOT EXISTS receipts_by_time ON receipts (started_at)`,
  `CREATE TABLE IF NOT EXISTS variables (
     scope TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (scope, name))`,
];

/** Makes the tables where they are missing, and refuses a store that a newer Toolwright has made. */
export async function prepareSchema(driver: SqlDriver): Promise<void> {
  if ((await readVersion(driver)) === version) return;
  await driver.transaction(async (transaction) => {
    for (const table of tables) await transaction.run(table);
    const [row] = await transaction.query("SELECT version FROM store_version");
    if (row === undefined) await transaction.run("INSERT INTO store_version VALUES (?)", [version]);
    else if (Number(row.version) > version) {
      throw new StoreError(
        `this store was made by a newer Toolwright (its format is ${row.version}, this one reads up to ${version})`,
      );
    }
  });
}

async function readVersion(driver: SqlDriver): Promise<number | undefined> {
  try {
    const [row] = await driver.query("SELECT version FROM store_version");
    return row === undefined ? undefined : Number(row.version);
  } catch (error) {
    if (/no such table|does not exist/.test((error as Error).message)) return undefined;
    throw new StoreError(`this is not a Toolwright store: ${(error as Error).message}`, { cause: error });
  }
}
