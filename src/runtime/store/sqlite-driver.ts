import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { createLock } from "../../shared/lock.ts";
import { type SqlDriver, type SqlRow, type SqlStatement, type SqlValue, StoreError } from "./sql-driver.ts";

export interface SqliteOptions {
  /** `process-crash` survives `kill -9`; `power-loss` also a power cut, at the price of an fsync per commit. */
  readonly durability: "process-crash" | "power-loss";
}

/** SQLite inside the process. `:memory:` gives a database that only this driver sees. */
export async function openSqliteDriver(file: string, { durability }: SqliteOptions): Promise<SqlDriver> {
  const isPrivate = file === ":memory:";
  if (!isPrivate) await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // The busy timeout of SQLite would block the event loop; waiting is done below instead.
  const database = openDatabase(file);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const query = async (sql: string, values: readonly SqlValue[] = []) =>
    prepare(sql).all(...values) as SqlRow[];
  const run = async (list: readonly SqlStatement[]) => {
    for (const { sql, values = [] } of list) prepare(sql).run(...values);
  };
  const transaction = { query, run };
  const withLock = createLock();

  if (!isPrivate) {
    await whileBusy(() => database.exec("PRAGMA journal_mode = WAL"));
    database.exec(`PRAGMA synchronous = ${durability === "power-loss" ? "FULL" : "NORMAL"}`);
    // Copying the log back into the database costs an fsync; every 16 MB is often enough.
    database.exec("PRAGMA wal_autocheckpoint = 4000");
  }
  return {
    isPrivate,
    query: (sql, values) => withLock(() => whileBusy(() => query(sql, values))),
    transaction: (work) =>
      withLock(async () => {
        await whileBusy(() => prepare("BEGIN IMMEDIATE").run());
        try {
          const result = await work(transaction);
          await whileBusy(() => prepare("COMMIT").run());
          return result;
        } catch (error) {
          if (database.isTransaction) prepare("ROLLBACK").run();
          throw error;
        }
      }),
    close: () =>
      withLock(async () => {
        statements.clear();
        database.close();
      }),
  };
}

function openDatabase(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (cause) {
    throw new StoreError(`cannot open the store ${file}: ${(cause as Error).message}`, { cause });
  }
}

const patienceMs = 10_000;

/** Tries again, a little later each time, for as long as another process holds the database. */
async function whileBusy<Result>(attempt: () => Result | Promise<Result>): Promise<Result> {
  const giveUpAt = Date.now() + patienceMs;
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() > giveUpAt) {
        throw new StoreError(`the store has been locked by another process for ${patienceMs / 1000} s`, {
          cause: error,
        });
      }
      // Jitter keeps two waiting processes from knocking at the same instant again and again.
      await delay(Math.random() * Math.min(50, 2 ** tries));
    }
  }
}

const busyCodes = new Set([5 /* SQLITE_BUSY */, 6 /* SQLITE_LOCKED */]);

function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && busyCodes.has(code & 0xff);
}
