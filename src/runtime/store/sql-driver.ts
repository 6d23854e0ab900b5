export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlStatement {
  readonly sql: string;
  readonly values?: readonly SqlValue[];
}

/** The little that the store asks of a database; each driver is thin and knows none of our tables. */
export interface SqlDriver {
  /** Nobody else can write to this database, so what was last written is known without asking. */
  readonly isPrivate: boolean;
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** All or nothing; waits its turn when another process is writing. */
  transaction<Result>(work: (transaction: SqlTransaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface SqlTransaction {
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  run(statements: readonly SqlStatement[]): Promise<void>;
}

export class StoreError extends Error {
  override readonly name = "StoreError";
}
