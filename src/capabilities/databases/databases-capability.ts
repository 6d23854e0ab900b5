import type { Gate } from "../../kernel/policy/index.ts";
import { capability } from "../../kernel/runtime/index.ts";
import {
  acting,
  methodKeys,
  type OpenService,
  type Service,
  type ServiceCall,
} from "../../kernel/services/index.ts";
import { openWhenNeeded } from "../../shared/once.ts";
import { foreign, knownKeys, listOfShape, value } from "../../shared/options/known-keys.ts";
import { didYouMean } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import type { DatabaseStatement, Databases, QueryOptions, QueryRows } from "../../tool/services/databases.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createDatabaseAccess, type DatabaseAccess, type DeclaredDatabase } from "./database-access.ts";
import { type DatabaseOptions, databasesOptions } from "./database-options.ts";
import type { RowLimits } from "./encode-value.ts";
import { checkStatement } from "./read-statement.ts";
import query from "./tools/database/query.ts";
import update from "./tools/database/update.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** Databases that tools may use, by the names that a model knows them by. */
    readonly databases?: Readonly<Record<string, DatabaseOptions>>;
  }
}

const statementKeys = knownKeys<DatabaseStatement>({ sql: value, parameters: foreign });

/** Runs SQL on the databases that the user declared. Loaded with the first statement. */
const databasesService: Service<"databases", DatabaseAccess, OpenService<"databases">> = {
  offers: "databases: none is declared in the option databases",
  keys: methodKeys<"databases">(
    {
      query: [2, { maxRows: value, maxBytes: value }],
      update: [2, { maxRows: value, maxBytes: value, rollback: value }],
    },
    { query: [1, statementKeys], update: [1, listOfShape(statementKeys)] },
  ),
  inPreview: "a preview runs no SQL",
  open(access) {
    const engines = openEngines();
    return {
      forCall: (gate, call) => ({
        list: async () => access.summaries,
        ...acting(createDatabases(access, { engines, gate, call })),
      }),
      close: async () => void (await Promise.all([engines.sqlite.close(), engines.postgres.close()])),
    };
  },
};

/** SQL on the databases that the user declared. The capability is absent if no database is declared. */
export const databasesCapability = capability({
  name: "databases",
  options: databasesOptions,
  services: { databases: databasesService },
  tools: [query, update],
  roles: {
    wantedTools: ({ databases = [] }: SessionView) => [
      ...(databases.length > 0 ? [query.name] : []),
      ...(databases.some(({ writable }) => writable) ? [update.name] : []),
    ],
  },
  open({ options, redactor }) {
    const access = createDatabaseAccess(options.databases);
    if (access === undefined) return undefined;
    for (const secret of access.secrets) redactor.add(secret);
    return {
      view: () => ({ databases: access.summaries }),
      policy: { databaseRequests: access.requestsOf },
      async session() {
        const databases = await databasesService.open(access);
        return { services: { databases } };
      },
    };
  },
});

type Engines = ReturnType<typeof openEngines>;

/** The engines of both kinds of databases, each loaded with the first statement for it. */
function openEngines() {
  return {
    sqlite: openWhenNeeded(async () => (await import("./sqlite/sqlite-database.ts")).createSqliteDatabases()),
    postgres: openWhenNeeded(async () =>
      (await import("./postgres/postgres-database.ts")).createPostgresDatabases(),
    ),
  };
}

function createDatabases(
  access: DatabaseAccess,
  { engines, gate, call }: { readonly engines: Engines; readonly gate: Gate; readonly call: ServiceCall },
): Pick<Databases, "query" | "update"> {
  const { deadline } = call;
  /** Lets the call use the database, and returns its engine. */
  const enter = async (database: DeclaredDatabase, use: "query" | "update") => {
    if (database.kind === "sqlite") {
      const path = await locate(database, gate, use);
      return (await engines.sqlite.open()).at({ name: database.name, path });
    }
    // The rows of a database may hold text from strangers, as a page of the web does.
    await gate.reach(database.host);
    call.noteHost(database.host);
    return (await engines.postgres.open()).at(database);
  };
  return {
    async query(connection, statement, options = {}) {
      const database = find(access, connection);
      checkStatement(statement.sql, { dialect: database.kind, use: "query" });
      const limits = limitsOf(options);
      const engine = await enter(database, "query");
      return oneRowAtLeast(await engine.query(statement, { limits, deadline }), limits);
    },
    async update(connection, statements, options = {}) {
      const database = find(access, connection);
      if (!database.writable)
        throw new ToolError("permission-denied", `${connection} may only be read`, {
          hint: "The user can declare it with writable: true in the option databases.",
        });
      for (const { sql } of statements) checkStatement(sql, { dialect: database.kind, use: "update" });
      const { rollback = false } = options;
      const engine = await enter(database, "update");
      const results = await engine.update(statements, { limits: limitsOf(options), deadline, rollback });
      return { committed: !rollback, results };
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

function limitsOf({ maxRows = 200, maxBytes = 256 * 1024 }: QueryOptions): RowLimits {
  return { maxRows, maxBytes };
}

function oneRowAtLeast(found: QueryRows, { maxBytes }: RowLimits): QueryRows {
  if (found.cutBy !== "bytes" || found.rows.length > 0) return found;
  throw new ToolError("too-large", `the first row alone has more than ${Math.floor(maxBytes / 1024)} KB`, {
    hint: "Select fewer columns, or parts of long values with substr().",
  });
}
