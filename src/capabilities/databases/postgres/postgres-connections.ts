import type { Socket } from "node:net";
import type { Client } from "pg";
import { ToolError } from "../../../tool/tool-error.ts";
import type { DeclaredDatabase } from "../database-access.ts";
import { postgresError } from "./postgres-error.ts";

export type PostgresDeclared = DeclaredDatabase & { readonly kind: "postgres" };

/** Connections to PostgreSQL: each is used by one call at a time, and kept for the next. */
export function createPostgresConnections() {
  const idle = new Map<string, { readonly client: Client; readonly timer: NodeJS.Timeout }>();
  /** The connection that is kept for a database, which is kept no longer. */
  const takeIdle = (name: string): Client | undefined => {
    const kept = idle.get(name);
    idle.delete(name);
    clearTimeout(kept?.timer);
    return kept?.client;
  };
  const drop = async (name: string, client: Client) => {
    if (idle.get(name)?.client === client) takeIdle(name);
    await end(client);
  };

  return {
    /** A connection without anything of an earlier call: no transaction, setting, lock or temporary table. */
    async take(database: PostgresDeclared, signal: AbortSignal): Promise<Client> {
      const kept = takeIdle(database.name);
      if (kept !== undefined) {
        (kept.connection.stream as Socket).ref();
        return kept;
      }
      const client = await connect(database, signal);
      // The server may end it while it is kept, as it does when it restarts.
      client.once("end", () => void drop(database.name, client));
      return client;
    },
    /** Keeps a connection if nothing of the call can be left on it. */
    async giveBack(database: PostgresDeclared, client: Client): Promise<void> {
      try {
        await client.query("ROLLBACK");
        // This releases locks too, and forgets settings that outlive a transaction.
        await client.query("DISCARD ALL");
      } catch {
        return end(client);
      }
      if (idle.has(database.name)) return end(client);
      (client.connection.stream as Socket).unref();
      const timer = setTimeout(() => drop(database.name, client), maxIdleMs).unref();
      idle.set(database.name, { client, timer });
    },
    /** Ends a connection at once, whatever it is doing, and tells the server to stop. */
    async discard(database: PostgresDeclared, client: Client): Promise<void> {
      const { processID } = client as Client & { processID?: number };
      client.connection.stream.destroy();
      if (processID === undefined) return;
      // The server would notice the lost connection only when it next sends something.
      const other = await connect(database, AbortSignal.timeout(maxCancelMs)).catch(() => undefined);
      await other?.query("SELECT pg_cancel_backend($1)", [processID]).catch(() => {});
      if (other !== undefined) await end(other);
    },
    close: async () => void (await Promise.all([...idle].map(([name, { client }]) => drop(name, client)))),
  };
}

const maxIdleMs = 30_000;
const maxCancelMs = 2000;
const maxConnectMs = 15_000;

async function connect(database: PostgresDeclared, signal: AbortSignal): Promise<Client> {
  const { url, name, variable, ca, superuser } = database;
  if (url === undefined)
    throw new ToolError(
      "unavailable",
      `${name} cannot be used: the environment variable ${variable} is not set`,
    );
  const { Client } = await loadPg();
  signal.throwIfAborted();
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: maxConnectMs,
    application_name: "toolwright",
    ssl: ca === undefined ? undefined : { ca },
  });
  // Without a listener, an idle connection that breaks would end the process.
  client.on("error", () => {});
  const stop = () => client.connection.stream.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await client.connect();
    if (!superuser) await refuseServerAccess(client, name);
    return client;
  } catch (error) {
    await end(client);
    signal.throwIfAborted();
    throw postgresError(error, { name });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Refuses a role that can use files and programs of the server. It could read and write any file, and run programs, by
 * functions that a query may call even in a transaction that only reads, so no limit of ours would hold.
 */
async function refuseServerAccess(client: Client, name: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT bool_or(pg_has_role(current_user, oid, 'MEMBER')) AS reaches FROM pg_roles
     WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')`,
  );
  if (rows[0]?.reaches !== true) return;
  throw new ToolError("permission-denied", `the user of ${name} can use files and programs of the server`, {
    hint: "The user should declare a role that is not a superuser, or accept it with superuser: true in the option databases.",
  });
}

async function end(client: Client): Promise<void> {
  client.connection.stream.destroy();
  await client.end().catch(() => {});
}

/** Loads the optional package pg. */
async function loadPg() {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    throw new ToolError(
      "unavailable",
      "a PostgreSQL database needs the optional package pg, which is not installed",
      { hint: 'Install it with "npm install pg".', cause },
    );
  }
}
