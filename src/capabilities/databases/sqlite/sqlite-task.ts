import type { DatabaseStatement, StatementResult } from "../../../tool/services/databases.ts";
import type { RowLimits } from "../encode-value.ts";

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
