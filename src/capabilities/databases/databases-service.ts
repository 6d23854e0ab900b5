import type { Gate } from "../../kernel/policy/gate.ts";
import {
  acting,
  methodKeys,
  type OpenService,
  type Service,
  type ServiceCall,
} from "../../kernel/services/service.ts";
import { foreign, knownKeys, listOfShape, value } from "../../shared/options/known-keys.ts";
import { didYouMean } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import type { DatabaseStatement, Databases, QueryOptions } from "../../tool/services/databases.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { DatabaseAccess, DeclaredDatabase } from "./database-access.ts";
import type { RowLimits } from "./encode-value.ts";
import type { PostgresDatabases } from "./postgres/postgres-database.ts";
import { checkStatement } from "./read-statement.ts";
import type { SqliteDatabases } from "./sqlite/sqlite-database.ts";

export interface DatabaseParts {
  readonly databaseAccess?: DatabaseAccess | undefined;
}

const statementKeys = knownKeys<DatabaseStatement>({ sql: value, parameters: foreign });

/** Runs SQL on the databases that the user declared. Loaded with the first statement. */
export const databasesService: Service<"databases", DatabaseParts, OpenService<"databases"> | undefined> = {
  offers: "databases: none is declared in the option databases",
  keys: methodKeys<"databases">(
    {
      query: [2, { maxRows: value, maxBytes: value }],
      update: [2, { maxRows: value, maxBytes: value, rollback: value }],
    },
    { query: [1, statementKeys], update: [1, listOfShape(statementKeys)] },
  ),
  inPreview: "a preview runs no SQL",
  open({ databaseAccess: access }) {
    if (access === undefined) return undefined;
    let sqlite: Promise<SqliteDatabases> | undefined;
    let postgres: Promise<PostgresDatabases> | undefined;
    const engines = {
      sqlite() {
        sqlite ??= import("./sqlite/sqlite-database.ts").then(({ createSqliteDatabases }) =>
          createSqliteDatabases(),
        );
        return sqlite;
      },
      postgres() {
        postgres ??= import("./postgres/postgres-database.ts").then(({ createPostgresDatabases }) =>
          createPostgresDatabases(),
        );
        return postgres;
      },
    };
    return {
      forCall: (gate, call) => ({
        list: async () => access.summaries,
        ...acting(createDatabases(access, { engines, gate, call })),
      }),
      close: async () => void (await Promise.all([(await sqlite)?.close(), (await postgres)?.close()])),
    };
  },
};

interface UseParts {
  readonly engines: { sqlite(): Promise<SqliteDatabases>; postgres(): Promise<PostgresDatabases> };
  readonly gate: Gate;
  readonly call: ServiceCall;
}

function createDatabases(
  access: DatabaseAccess,
  { engines, gate, call }: UseParts,
): Pick<Databases, "query" | "update"> {
  const { signal } = call.deadline;
  return {
    async query(connection, statement, options = {}) {
      const database = find(access, connection);
      checkStatement(statement.sql, { dialect: database.kind, use: "query" });
      const limits = limitsOf(options);
      if (database.kind === "sqlite") {
        const path = await locate(database, gate, "query");
        const engine = await engines.sqlite();
        return oneRowAtLeast(
          await engine.query(statement, { name: connection, path, limits, signal }),
          limits,
        );
      }
      await admit(database, gate, call);
      const engine = await engines.postgres();
      return oneRowAtLeast(await engine.query(statement, { database, limits, call }), limits);
    },
    async update(connection, statements, options = {}) {
      const database = find(access, connection);
      if (!database.writable) throw notWritable(connection);
      for (const { sql } of statements) checkStatement(sql, { dialect: database.kind, use: "update" });
      const limits = limitsOf(options);
      const { rollback = false } = options;
      if (database.kind === "sqlite") {
        const path = await locate(database, gate, "update");
        const engine = await engines.sqlite();
        const use = { name: connection, path, limits, signal, rollback };
        return { committed: !rollback, results: await engine.update(statements, use) };
      }
      await admit(database, gate, call);
      const engine = await engines.postgres();
      return {
        committed: !rollback,
        results: await engine.update(statements, { database, limits, call, rollback }),
      };
    },
  };
}

function find({ connections }: DatabaseAccess, name: string): DeclaredDatabase {
  const database = connections.get(name);
  if (database !== undefined) return database;
  const names = [...connections.keys()];
  throw new ToolError("not-found", `no database is named ${JSON.stringify(name)}`, {
    hint: didYouMean(nearestNames(name, names), `Declared: ${names.join(", ")}.`),
  });
}

function notWritable(name: string): ToolError {
  return new ToolError("permission-denied", `${name} may only be read`, {
    hint: `The user can declare it with writable: true in the option databases.`,
  });
}

/** The file's real path, once the call may use it. A missing file is created by a change, and cannot be read. */
async function locate(
  { name, path }: DeclaredDatabase & { kind: "sqlite" },
  gate: Gate,
  use: "query" | "update",
): Promise<string> {
  const place = await gate.locate(path);
  await gate.read(place);
  if (use === "update") await gate.write(place);
  if (place.kind === "missing" && use === "query")
    throw new ToolError("not-found", `the file of ${name} does not exist`);
  if (place.kind !== "file" && place.kind !== "missing")
    throw new ToolError("not-a-file", `the path of ${name} is not a file`);
  return place.canonical;
}

/** The rows of a database may hold text from strangers, as a page of the web does. */
async function admit(
  { host }: DeclaredDatabase & { kind: "postgres" },
  gate: Gate,
  call: ServiceCall,
): Promise<void> {
  await gate.reach(host);
  call.noteHost(host);
}

const defaultLimits: RowLimits = { maxRows: 200, maxBytes: 256 * 1024 };

function limitsOf({ maxRows, maxBytes }: QueryOptions): RowLimits {
  return { maxRows: maxRows ?? defaultLimits.maxRows, maxBytes: maxBytes ?? defaultLimits.maxBytes };
}

function oneRowAtLeast<Found extends { readonly rows: readonly unknown[]; readonly cutBy?: string }>(
  found: Found,
  { maxBytes }: RowLimits,
): Found {
  if (found.cutBy !== "bytes" || found.rows.length > 0) return found;
  throw new ToolError("too-large", `the first row alone has more than ${Math.floor(maxBytes / 1024)} KB`, {
    hint: "Select fewer columns, or parts of long values with substr().",
  });
}
