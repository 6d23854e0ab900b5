import type { Client, FieldDef } from "pg";
import { untilAborted } from "../../../machine/web-client/index.ts";
import { type Deadline, DeadlineReached } from "../../../shared/deadline.ts";
import type { DatabaseColumn, StatementResult } from "../../../tool/services/databases.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { DatabaseEngine } from "../database-access.ts";
import { createPostgresConnections, type PostgresDeclared } from "./postgres-connections.ts";
import { isServerError, postgresError } from "./postgres-error.ts";
import { runStatement } from "./statement-run.ts";

export function createPostgresDatabases() {
  const connections = createPostgresConnections();

  /** Runs work in one transaction, on a separate connection; when the call ends early, so does the connection. */
  const transact = async <Result>(
    begin: "BEGIN READ ONLY" | "BEGIN",
    { database, deadline }: { readonly database: PostgresDeclared; readonly deadline: Deadline },
    work: (client: Client, tell: (step: Step) => void) => Promise<Result>,
  ): Promise<Result> => {
    const { signal } = deadline;
    const { name } = database;
    const client = await connections.take(database, signal);
    let step: Step = {};
    let isUsable = false;
    const run = async () => {
      await client.query(begin);
      const timeout = String(remainingMs(deadline));
      await client.query("SELECT set_config('statement_timeout', $1, true)", [timeout]);
      return work(client, (now) => {
        step = now;
      });
    };
    try {
      const flow = guardBytes(client);
      const running = Promise.race([flow.tooMuch, run()]).finally(flow.end);
      const result = await untilAborted(running, signal);
      isUsable = true;
      return result;
    } catch (error) {
      if (step.isCommitting && !isServerError(error)) throw unknownOutcome(name, error);
      // After an error of the statement the connection is as good as before.
      isUsable = isServerError(error) && !signal.aborted;
      throw error === signal.reason ? error : postgresError(error, { name, at: step.at });
    } finally {
      if (isUsable) await connections.giveBack(database, client);
      else await connections.discard(database, client);
    }
  };

  const at = (database: PostgresDeclared): DatabaseEngine => ({
    query: (statement, { limits, deadline }) =>
      transact("BEGIN READ ONLY", { database, deadline }, async (client) => {
        const { fields, taken } = await runStatement(client, statement, { limits, runsToEnd: false });
        return { columns: await describeColumns(client, fields), ...taken };
      }),
    update: (statements, { limits, deadline, rollback }) =>
      transact("BEGIN", { database, deadline }, async (client, tell) => {
        const results: StatementResult[] = [];
        for (const [index, statement] of statements.entries()) {
          tell(statements.length > 1 ? { at: index } : {});
          const run = await runStatement(client, statement, { limits, runsToEnd: true });
          const columns = await describeColumns(client, run.fields);
          results.push({ affected: run.affected, ...(columns.length > 0 && { columns, ...run.taken }) });
        }
        if (rollback) return results;
        tell({ isCommitting: true });
        await client.query("COMMIT");
        return results;
      }),
  });
  return { at, close: connections.close };
}

interface Step {
  /** Index of the statement, if there are several. */
  readonly at?: number;
  readonly isCommitting?: boolean;
}

/** The fields' types by the names that people know, in the same transaction. */
async function describeColumns(client: Client, fields: readonly FieldDef[]): Promise<DatabaseColumn[]> {
  if (fields.length === 0) return [];
  const ids = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))];
  const { rows } = await client.query<{ id: number; type: string }>(
    "SELECT id, format_type(id, NULL) AS type FROM unnest($1::oid[]) AS id",
    [ids],
  );
  const names = new Map(rows.map(({ id, type }) => [Number(id), type]));
  return fields.map(({ name, dataTypeID }) => ({ name, type: names.get(dataTypeID) ?? "unknown" }));
}

/** The time that the call has left; at least a moment, because the server takes 0 for no limit. */
function remainingMs({ at }: Deadline): number {
  return Math.max(1, Math.min(maxStatementMs, Math.ceil(at - Date.now())));
}

const maxStatementMs = 2 ** 31 - 1;

/**
 * Ends the connection when too much arrives: one value can have a gigabyte, and pg collects a whole row before it hands it
 * on.
 */
function guardBytes(client: Client): { tooMuch: Promise<never>; end(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxReceivedBytes) return;
    client.connection.stream.destroy();
    reject(
      new ToolError("too-large", `the result has more than ${maxReceivedBytes / 2 ** 20} MB`, {
        hint: "Ask for fewer rows or columns, or for parts of long values with substr().",
      }),
    );
  };
  const { stream } = client.connection;
  stream.on("data", count);
  return { tooMuch: promise, end: () => void stream.off("data", count) };
}

const maxReceivedBytes = 32 * 2 ** 20;

function unknownOutcome(name: string, cause: unknown): ToolError {
  const why = cause instanceof DeadlineReached ? "its time was up" : "the connection broke";
  return new ToolError("unknown-outcome", `${why} while ${name} was committing the change`, {
    hint: "Look at the data before you repeat the change.",
    cause,
  });
}
