import { resolve } from "node:path";
import { knownKeys, mapOf, value } from "../../shared/options/known-keys.ts";
import { kinds, mapValues, option } from "../../shared/options/option.ts";

/** A database that tools may use by its name. */
export type DatabaseOptions = SqliteConnection | PostgresConnection;

export interface SqliteConnection {
  /** Path of the file, relative to the workspace. Rules on paths hold for reading and writing it. */
  readonly sqlite: string;
  /** Lets it be changed. Default: false. */
  readonly writable?: boolean;
}

export interface PostgresConnection {
  /** `postgres://user:password@host/database`, or the environment variable that holds it. */
  readonly postgres: string | { readonly env: string };
  readonly writable?: boolean;
  /** Certificate (PEM) of the authority that signed the server's. Default: the usual ones. */
  readonly ca?: string;
  /**
   * Accepts a role that can read or write files of the server or run programs there, as a superuser can. Every use then
   * counts as `execute`. Default: false.
   */
  readonly superuser?: boolean;
}

export const databasesOptions = {
  databases: option<Readonly<Record<string, DatabaseOptions>>>({
    schema: {
      type: "object",
      description: "Databases that tools may use, by name",
      additionalProperties: kinds.checkedLater,
    },
    keys: mapOf(
      knownKeys<DatabaseOptions>({
        sqlite: value,
        postgres: knownKeys<{ env: string }>({ env: value }, { orValue: true }),
        writable: value,
        ca: value,
        superuser: value,
      }),
    ),
    check: checkDatabaseOptions,
    example: { shop: { sqlite: "../shop.sqlite" } },
    resolve: (databases, folder) =>
      mapValues(databases, (database) => {
        const hasFile = "sqlite" in database && typeof database.sqlite === "string";
        return hasFile ? { ...database, sqlite: resolve(folder, database.sqlite) } : database;
      }),
  }),
};

/** Throws a TypeError for a connection that could not work. No message repeats an address: it may hold a password. */
function checkDatabaseOptions(databases: Readonly<Record<string, DatabaseOptions>>): void {
  for (const [name, given] of Object.entries(databases)) {
    const where = `databases.${name}`;
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name))
      throw new TypeError(
        `${where}: a name begins with a letter and has letters, digits, dashes and underscores`,
      );
    const { sqlite, postgres, ca, superuser, writable } = given as Partial<
      SqliteConnection & PostgresConnection
    >;
    if ((sqlite === undefined) === (postgres === undefined))
      throw new TypeError(`${where}: give either sqlite (a path) or postgres (an address)`);
    for (const [key, flag] of Object.entries({ writable, superuser })) {
      if (flag !== undefined && typeof flag !== "boolean")
        throw new TypeError(`${where}.${key} must be true or false`);
    }
    if (sqlite !== undefined) {
      checkText(sqlite, `${where}.sqlite must be the path of a file`);
      if (/^file:|^:memory:$/i.test(sqlite))
        throw new TypeError(`${where}.sqlite must be the path of a file, not an address`);
      if (ca !== undefined || superuser !== undefined)
        throw new TypeError(`${where}: ca and superuser are only for postgres`);
      continue;
    }
    if (ca !== undefined) checkText(ca, `${where}.ca must be a certificate in PEM format`);
    if (typeof postgres === "object") checkText(postgres?.env, `${where}.postgres.env must name a variable`);
    else readPostgresUrl(postgres, where);
  }
}

/** Reads the parts of an address that the runtime needs itself: its host, and the secrets in it. */
export function readPostgresUrl(url: unknown, where: string) {
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(?:ql)?:$/.test(parsed.protocol))
    throw new TypeError(`${where}.postgres must be an address such as postgres://user@host/database`);
  const given = parsed.searchParams.get("host") ?? decodeURIComponent(parsed.hostname);
  const isLocal = given === "" || given.startsWith("/");
  const port = parsed.port || parsed.searchParams.get("port") || "5432";
  const passwords = [parsed.password, parsed.searchParams.get("password") ?? ""].flatMap((password) => [
    password,
    decodeURIComponent(password),
  ]);
  return {
    /** `host:port`, for rules and receipts; a socket of this machine counts as localhost. */
    host: `${isLocal ? "localhost" : given}:${port}`,
    // To be masked wherever they appear. A short password would mask half of every result, and no message contains it.
    secrets: [url as string, ...passwords.filter((password) => password.length >= minSecretCharacters)],
  };
}

const minSecretCharacters = 8;

function checkText(text: unknown, message: string): asserts text is string {
  if (typeof text !== "string" || text === "" || text.includes("\0")) throw new TypeError(message);
}
