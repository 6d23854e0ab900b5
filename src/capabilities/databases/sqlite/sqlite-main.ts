import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { answerTasks } from "../../../machine/child/index.ts";
import { succeeds } from "../../../shared/maybe-promise.ts";
import type { DatabaseStatement, DatabaseValue, StatementResult } from "../../../tool/services/databases.ts";
import {
  createRowCollector,
  decodeParameter,
  encodeBytes,
  encodeInteger,
  encodeReal,
  type RowLimits,
} from "../encode-value.ts";
import { firstKeyword, isBlank } from "../read-statement.ts";

/** The main program of the process that runs SQLite. */
answerTasks(runSqlite);

/** Opens the file, runs the statements in one transaction and closes it again, so that nothing stays locked. */
function runSqlite(task: SqliteTask): SqliteAnswer {
  let at = 0;
  let database: DatabaseSync | undefined;
  try {
    database = open(task);
    if (task.use === "recover") return { results: [] };
    // A change takes its lock at the start, so that it cannot fail halfway because another process writes.
    database.exec(task.use === "update" ? "BEGIN IMMEDIATE" : "BEGIN");
    const results: StatementResult[] = [];
    for (const statement of task.statements) {
      results.push(runStatement(database, statement, task));
      at += 1;
    }
    database.exec(task.use === "update" && !task.rollback ? "COMMIT" : "ROLLBACK");
    return { results };
  } catch (error) {
    return { failure: { ...failureOf(error), at: task.statements.length > 1 ? at : undefined } };
  } finally {
    // Closing rolls back whatever is open.
    database?.close();
  }
}

function open({ path, use, busyMs }: SqliteTask): DatabaseSync {
  const options = { readOnly: use === "query", allowExtension: false, limits };
  const database = new DatabaseSync(path, options);
  try {
    database.exec(`PRAGMA busy_timeout = ${Math.max(0, Math.floor(busyMs))}`);
    // Nothing that the file itself defines may do more than compute.
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
    if (use === "query") database.exec("PRAGMA query_only = ON");
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    checkOpened(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Longer values are refused before they take memory, and no second file can be attached. Older versions of Node ignore it. */
const limits = { length: 32 * 2 ** 20, attach: 0 };

/** A link may have been put in place of the file, or of a folder above it, after the call was permitted. */
function checkOpened(path: string): void {
  const isOpen =
    process.platform === "linux"
      ? readdirSync("/proc/self/fd").some((descriptor) => targetOf(`/proc/self/fd/${descriptor}`) === path)
      : realpathSync(path) === path;
  if (!isOpen) throw new Failure("moved", "the path leads elsewhere now");
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    // The descriptor of the listing itself is closed by now.
    return undefined;
  }
}

function runStatement(
  database: DatabaseSync,
  given: DatabaseStatement,
  { use, limits: { maxRows, maxBytes } }: SqliteTask,
): StatementResult {
  const statement = database.prepare(given.sql);
  // Only the first statement of a text is prepared; the others would be ignored silently.
  if (!isBlank(given.sql.slice(statement.sourceSQL.length), "sqlite"))
    throw new Failure("statement", "there is more than one statement");
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name, type }) => ({ name, ...(type !== null && { type }) }));
  const collector = createRowCollector({ maxRows, maxBytes });
  const rows = bind(statement, given);
  // A change has to run to its end, whatever is kept of its rows.
  for (const row of rows) {
    if (row.some((value) => sizeOf(value) > maxBytes)) collector.leaveOut();
    else collector.add(row.map(encodeValue));
    if (collector.cutBy !== undefined && use === "query") break;
  }
  const affected = countChanges(database, given.sql);
  return { affected, ...(columns.length > 0 && { columns, ...collector.taken() }) };
}

function countChanges(database: DatabaseSync, sql: string): number {
  const changing = ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"];
  if (!changing.includes(firstKeyword(sql, "sqlite") ?? "")) return 0;
  const { count } = database.prepare("SELECT changes() AS count").get() as { count: number };
  return count;
}

type SqliteValue = null | bigint | number | string | Uint8Array;
type Rows = Iterable<readonly SqliteValue[]>;

/**
 * Runs the statement with its parameters. SQLite takes a missing value for null; here that is an error, as in other
 * databases.
 */
function bind(statement: StatementSync, { parameters = [] }: DatabaseStatement): Rows {
  if (!Array.isArray(parameters)) {
    const named = Object.entries(parameters).map(([name, value]) => [name, toInput(value)]);
    return statement.iterate(Object.fromEntries(named)) as unknown as Rows;
  }
  const values = parameters.map(toInput);
  const takesMore = succeeds(() => statement.iterate(...values, null));
  if (takesMore) throw new Failure("statement", "it has more placeholders than there are parameters");
  return statement.iterate(...values) as unknown as Rows;
}

function toInput(parameter: Parameters<typeof decodeParameter>[0]): SQLInputValue {
  const value = decodeParameter(parameter);
  return typeof value === "boolean" ? Number(value) : value;
}

function encodeValue(value: SqliteValue): DatabaseValue {
  if (typeof value === "bigint") return encodeInteger(value);
  if (typeof value === "number") return encodeReal(value);
  return value instanceof Uint8Array ? encodeBytes(value) : value;
}

function sizeOf(value: SqliteValue): number {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 0;
}

class Failure extends Error {
  readonly kind: SqliteFailure["kind"];
  constructor(kind: SqliteFailure["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

const kindsByCode: ReadonlyMap<number, SqliteFailure["kind"]> = new Map([
  [5, "busy"],
  [6, "busy"],
  [7, "memory"],
  [11, "not-a-database"],
  [18, "memory"],
  [26, "not-a-database"],
]);

function failureOf(error: unknown): SqliteFailure {
  if (error instanceof Failure) return { kind: error.kind, message: error.message };
  const { message, errcode } = error as Error & { errcode?: number };
  // The lowest byte is the primary code.
  return { kind: kindsByCode.get((errcode ?? 1) & 0xff) ?? "sql", message };
}

/** A task for the process that runs SQLite. */
export interface SqliteTask {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** `recover` only opens the file, which undoes what an interrupted change left behind. */
  readonly use: "query" | "update" | "recover";
  readonly statements: readonly DatabaseStatement[];
  readonly limits: RowLimits;
  readonly rollback: boolean;
  /** How long to wait for others that write. */
  readonly busyMs: number;
}

export type SqliteAnswer =
  | { readonly results: readonly StatementResult[] }
  | { readonly failure: SqliteFailure };

export interface SqliteFailure {
  readonly message: string;
  readonly kind: "sql" | "busy" | "moved" | "statement" | "memory" | "not-a-database";
  /** Index of the statement. */
  readonly at?: number | undefined;
}
