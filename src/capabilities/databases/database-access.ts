import type { JudgedRequest } from "../../kernel/policy/index.ts";
import type { Deadline } from "../../shared/deadline.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import type {
  DatabaseStatement,
  DatabaseSummary,
  QueryRows,
  StatementResult,
} from "../../tool/services/databases.ts";
import { type DatabaseOptions, type PostgresConnection, readPostgresUrl } from "./database-options.ts";
import type { RowLimits } from "./encode-value.ts";

export type DatabaseAccess = NonNullable<ReturnType<typeof createDatabaseAccess>>;

export type DeclaredDatabase = DatabaseSummary &
  (
    | { readonly kind: "sqlite"; readonly path: string }
    | {
        readonly kind: "postgres";
        /** Undefined if the environment variable is not set. */
        readonly url: string | undefined;
        readonly variable: string | undefined;
        readonly host: string;
        readonly ca: string | undefined;
        readonly superuser: boolean;
      }
  );

/** Runs statements on one database. */
export interface DatabaseEngine {
  query(statement: DatabaseStatement, use: DatabaseUse): Promise<QueryRows>;
  /** Runs all statements in one transaction. */
  update(
    statements: readonly DatabaseStatement[],
    use: DatabaseUse & { readonly rollback: boolean },
  ): Promise<readonly StatementResult[]>;
}

export interface DatabaseUse {
  readonly limits: RowLimits;
  /** The deadline of the call. */
  readonly deadline: Deadline;
}

/**
 * Reads the declared databases, once for all sessions of a runtime. Undefined if none is declared; then there is no tool
 * for databases either.
 */
export function createDatabaseAccess(databases: Readonly<Record<string, DatabaseOptions>> = {}) {
  /** Values that must not appear in any result or record. */
  const secrets: string[] = [];
  const declared = Object.entries(databases).map(([name, options]): DeclaredDatabase => {
    const { writable = false } = options;
    if ("sqlite" in options) return { name, kind: "sqlite", writable, path: options.sqlite };
    const resolved = resolveAddress(name, options);
    secrets.push(...resolved.secrets);
    const { ca, superuser = false } = options;
    const { url, host, variable } = resolved;
    return { name, kind: "postgres", writable, url, host, variable, ca, superuser };
  });
  if (declared.length === 0) return undefined;
  const connections = new Map(declared.map((database) => [database.name, database]));
  return {
    connections,
    summaries: declared.map(({ name, kind, writable }): DatabaseSummary => ({ name, kind, writable })),
    secrets,
    /** The files, hosts and programs that a use of a database touches, as requests that policy judges. */
    requestsOf(request: PermissionRequest): readonly JudgedRequest[] {
      const database = connections.get(request.database ?? "");
      return database === undefined ? [{ action: request.action }] : touchedBy(database, request.action);
    },
  };
}

function resolveAddress(name: string, { postgres }: PostgresConnection) {
  const where = `databases.${name}`;
  if (typeof postgres === "string") return { url: postgres, ...readPostgresUrl(postgres, where) };
  const { env: variable } = postgres;
  const url = process.env[variable];
  if (url === undefined || url === "") return { url: undefined, variable, host: "unknown", secrets: [] };
  return { url, variable, ...readPostgresUrl(url, where) };
}

/** The requests of one use. A statement that changes a database can also read it. */
function touchedBy(database: DeclaredDatabase, action: PermissionRequest["action"]): JudgedRequest[] {
  const isWrite = action === "write";
  if (database.kind === "sqlite") {
    const place = { target: database.path, byProgram: true };
    return [{ action: "read", ...place }, ...(isWrite ? [{ action: "write", ...place } as const] : [])];
  }
  const { host, superuser, name } = database;
  return [
    { action: isWrite ? "write" : "read" },
    { action: "network", target: host, isConfigured: true },
    ...(superuser ? [{ action: "execute", target: `SQL as a superuser of ${name}` } as const] : []),
  ];
}
