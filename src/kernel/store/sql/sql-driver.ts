import type { MaybePromise } from "../../../shared/maybe-promise.ts";

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlStatement {
  readonly sql: string;
  readonly values?: readonly SqlValue[];
}

export type SqlQuery = (sql: string, values?: readonly SqlValue[]) => MaybePromise<readonly SqlRow[]>;

/** The functions of a database that the store needs. Drivers are thin and know none of our tables. */
export interface SqlDriver {
  query: SqlQuery;
  /** Queries at once. Throws `StoreBusy` where `query` would wait. */
  queryNow(sql: string, values?: readonly SqlValue[]): readonly SqlRow[];
  /** Changes when another connection has written. */
  changeCount(): Promise<number>;
  /** All or nothing; waits its turn when another process is writing. */
  transaction<Result>(work: (transaction: SqlTransaction) => MaybePromise<Result>): MaybePromise<Result>;
  /** Copies everything to a file that is not there yet. */
  backUp(file: string): Promise<void>;
  /** Gives room that is free in it back to the disk. */
  compact(): Promise<void>;
  /** Removes unfinished copies of processes that have died, in whichever folder they are. */
  removeDrafts?(): Promise<void>;
  /** Lists the damage of the database. */
  findDamage(): Promise<readonly string[]>;
  /** Where a copy of this name belongs. */
  besides(name: string): string;
  close(): Promise<void>;
}

export interface SqlTransaction {
  query: SqlQuery;
  run(statements: readonly SqlStatement[]): MaybePromise<void>;
  /** The count of the driver, within the transaction. */
  changeCount(): MaybePromise<number>;
}
