import { link, mkdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { findLockHolder } from "../../../machine/locks/index.ts";
import { writeAside } from "../../../shared/files/write-aside.ts";
import { after, type MaybePromise, orElse } from "../../../shared/maybe-promise.ts";
import { mapValues } from "../../../shared/options/option.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { StoreBusy, StoreError } from "../store.ts";
import type { SqlDriver, SqlRow, SqlTransaction, SqlValue } from "./sql-driver.ts";

export interface SqliteOptions {
  /** `process-crash` survives `kill -9`; `power-loss` also a power cut, at the price of an fsync per commit. */
  readonly durability?: "process-crash" | "power-loss" | undefined;
  /** How long to wait for another process that holds the database. */
  readonly patienceMs?: number;
}

/** SQLite inside the process. */
export async function openSqliteDriver(
  file: string,
  { durability = "process-crash", patienceMs = 10_000 }: SqliteOptions = {},
): Promise<SqlDriver> {
  await createStoreFile(file);
  // SQLite's own busy timeout would block the event loop; `whileBusy` waits instead.
  const database = new DatabaseSync(file, { timeout: 0 });
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  // `get` of a statement that gives no row does what `run` does, without making an object that counts the changes.
  const perform = (sql: string, values: readonly SqlValue[] = []) => void prepare(sql).get(...values);
  const query = (sql: string, values: readonly SqlValue[] = []): SqlRow[] => {
    const statement = prepare(sql);
    try {
      return statement.all(...values) as SqlRow[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_OUT_OF_RANGE") throw error;
      return queryLarge(statement, values);
    }
  };
  const prepareNumber = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return () => Number((statement.get() as unknown as readonly [number])[0]);
  };
  // Asked in every transaction.
  let countChanges: (() => number) | undefined;
  const changeCount = () => {
    countChanges ??= prepareNumber("PRAGMA data_version");
    return countChanges();
  };
  const transaction: SqlTransaction = {
    query,
    run(list) {
      for (const { sql, values } of list) perform(sql, values);
    },
    changeCount,
  };
  const inTurn = createTurns();
  const patiently = <Result>(attempt: () => Result) => whileBusy(attempt, { file, patienceMs });
  const begin = () => perform("BEGIN IMMEDIATE");
  const commit = () => perform("COMMIT");
  /** Waits only if the work does, or another process. */
  const performWork = <Result>(
    work: (transaction: SqlTransaction) => MaybePromise<Result>,
  ): MaybePromise<Result> => {
    const fail = (error: unknown): never => {
      if (database.isTransaction) perform("ROLLBACK");
      // An error that the work itself throws is not the database's failure.
      throw isOfDatabase(error) ? toStoreError(error) : error;
    };
    return orElse(() => after(work(transaction), (result) => after(patiently(commit), () => result)), fail);
  };

  try {
    await patiently(() => database.exec(pragmas(durability)));
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    query: (sql, values) => inTurn(() => patiently(() => query(sql, values))),
    queryNow(sql, values) {
      try {
        return query(sql, values);
      } catch (error) {
        throw isBusy(error) ? new StoreBusy((error as Error).message, { cause: error }) : toStoreError(error);
      }
    },
    changeCount: async () => inTurn(() => patiently(changeCount)),
    transaction: (work) => inTurn(() => after(patiently(begin), () => performWork(work))),
    findDamage: async () => {
      const rows = await inTurn(() => patiently(() => query("PRAGMA integrity_check(3)")));
      return rows.map(({ integrity_check }) => String(integrity_check)).filter((found) => found !== "ok");
    },
    besides: (name) => `${file}.${name}`,
    compact: async () =>
      inTurn(async () => {
        const free = prepareNumber("PRAGMA freelist_count")();
        // Everything is written anew, which takes a while; a little room is soon used again anyway.
        if (free < prepareNumber("PRAGMA page_count")() / 10) return;
        await patiently(() => database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
      }),
    backUp: async (copy) =>
      inTurn(async () => {
        await writeFile(copy, "", { flag: "wx", mode: 0o600 });
        await patiently(() => perform("VACUUM INTO ?", [copy]));
      }),
    close: async () =>
      inTurn(async () => {
        statements.clear();
        countChanges = undefined;
        if (database.isOpen) database.close();
      }),
  };
}

/** Copies a database as it is at one moment, while others write to it, and writes nothing where it is. */
export async function copyDatabase(file: string, copy: string): Promise<void> {
  await writeFile(copy, "", { flag: "wx", mode: 0o600 });
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.prepare("VACUUM INTO ?").run(copy);
  } finally {
    database.close();
  }
}

/**
 * Queries rows with numbers beyond those that Toolwright writes: a damaged one must not make the other rows unreadable.
 */
function queryLarge(statement: StatementSync, values: readonly SqlValue[]): SqlRow[] {
  statement.setReadBigInts(true);
  try {
    const toNumber = (value: unknown) => (typeof value === "bigint" ? Number(value) : value);
    return statement.all(...values).map((row) => mapValues<unknown, unknown>(row, toNumber));
  } finally {
    statement.setReadBigInts(false);
  }
}

/** Creates the database file readable only by its owner; SQLite itself would make it readable by all. */
async function createStoreFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return;
  if (found !== undefined) throw new StoreError("it is not a regular file");
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Closing a file releases every lock that this process has on it, even those of a store that another runtime has
  // opened meanwhile. So it is closed before it gets the name under which a store can be opened.
  // If linking fails, another process was faster, or the file system has no hard links; SQLite copes with both.
  await writeAside(file, "", { place: (draft) => link(draft, file).catch(() => {}) });
}

function pragmas(durability: SqliteOptions["durability"]): string {
  // Copying the log back into the database costs an fsync; every 16 MB is often enough.
  return `PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${durability === "power-loss" ? "FULL" : "NORMAL"};
    PRAGMA wal_autocheckpoint = 4000`;
}

interface Patience {
  readonly file: string;
  readonly patienceMs: number;
}

/** Tries immediately, then with growing delays for as long as another process holds the database. */
function whileBusy<Result>(attempt: () => Result, patience: Patience): MaybePromise<Result> {
  try {
    return attempt();
  } catch (error) {
    if (isBusy(error)) return tryAgain(attempt, patience, error);
    throw toStoreError(error);
  }
}

async function tryAgain<Result>(
  attempt: () => Result,
  { file, patienceMs }: Patience,
  busy: unknown,
): Promise<Result> {
  // The time of day may be set while it waits.
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 0; performance.now() <= giveUpAt; tries++) {
    // Jitter keeps two waiting processes from retrying in step.
    await delay(Math.random() * Math.min(50, 2 ** tries));
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw toStoreError(error);
    }
  }
  throw new StoreBusy(describeHolder(file, patienceMs), { cause: busy });
}

// Where SQLite locks the index of the write-ahead log to write.
const writeLockByte = 120;

/** A transaction takes a fraction of a millisecond, so a process that holds it for long is stopped. */
function describeHolder(file: string, patienceMs: number): string {
  const pid = findLockHolder(`${file}-shm`, writeLockByte);
  const who = pid === undefined ? "another process" : `process ${pid}`;
  return `${who} has kept the store locked for ${patienceMs / 1000} s; if it is suspended, resume it or end it`;
}

const busyCodes = new Set([5 /* SQLITE_BUSY */, 6 /* SQLITE_LOCKED */]);

function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && busyCodes.has(code & 0xff);
}

function isOfDatabase(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && code.startsWith("ERR_");
}

/** Lets callers tell a failure of the store from other errors. */
function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(describeThrown(error), { cause: error });
}

/** Runs one piece of work at a time, in the order of the calls: at once, if nothing else is running. */
function createTurns(): <Result>(work: () => MaybePromise<Result>) => MaybePromise<Result> {
  let last: Promise<unknown> | undefined;
  const follow = (running: Promise<unknown>) => {
    const over = () => {
      if (last === settled) last = undefined;
    };
    const settled: Promise<unknown> = running.then(over, over);
    last = settled;
  };
  return (work) => {
    const result = last === undefined ? work() : last.then(work);
    if (result instanceof Promise) follow(result);
    return result;
  };
}
