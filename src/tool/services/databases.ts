/** The databases that the user declared. A tool names the connection, and never sees where it leads. */
export interface Databases {
  list(): Promise<readonly DatabaseSummary[]>;
  /** Runs one statement that only reads; the database itself refuses one that writes. */
  query(connection: string, statement: DatabaseStatement, options?: QueryOptions): Promise<QueryRows>;
  /** Runs statements in one transaction: all of them or none. Refused unless the connection is declared as writable. */
  update(
    connection: string,
    statements: readonly DatabaseStatement[],
    options?: UpdateOptions,
  ): Promise<UpdateReport>;
}

export interface DatabaseSummary {
  readonly name: string;
  readonly kind: "sqlite" | "postgres";
  readonly writable: boolean;
}

export interface DatabaseStatement {
  /** Exactly one statement. */
  readonly sql: string;
  /** Values for its placeholders; never part of the text. By name only in SQLite. */
  readonly parameters?: readonly DatabaseParameter[] | Readonly<Record<string, DatabaseParameter>>;
}

/** `integer` is for numbers beyond 2^53, `base64` for bytes. */
export type DatabaseParameter =
  | string
  | number
  | boolean
  | null
  | { readonly integer: string }
  | { readonly base64: string };

/**
 * A value without loss: `integer` for a whole number beyond 2^53, `real` for NaN, the infinities and -0, `base64` for bytes.
 * PostgreSQL's other types (numeric, dates, arrays, json …) are the text that the server gives for them.
 */
export type DatabaseValue =
  | string
  | number
  | boolean
  | null
  | { readonly integer: string }
  | { readonly real: string }
  | { readonly base64: string };

export interface DatabaseColumn {
  readonly name: string;
  /** As the database names it; in SQLite as declared, and absent for an expression. */
  readonly type?: string;
}

export interface QueryOptions {
  /** Default: 200. */
  readonly maxRows?: number;
  /** The bytes that the rows may take as JSON. Default: 256 KB. */
  readonly maxBytes?: number;
}

export interface QueryRows {
  readonly columns: readonly DatabaseColumn[];
  readonly rows: readonly (readonly DatabaseValue[])[];
  /** Which limit left out further rows. */
  readonly cutBy?: "rows" | "bytes";
}

export interface UpdateOptions extends QueryOptions {
  /** Runs everything, then rolls it back. */
  readonly rollback?: boolean;
}

export interface UpdateReport {
  readonly committed: boolean;
  readonly results: readonly StatementResult[];
}

export interface StatementResult extends Partial<QueryRows> {
  /** Rows that it inserted, changed or deleted. */
  readonly affected: number;
}
