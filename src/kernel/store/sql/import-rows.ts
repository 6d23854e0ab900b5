import { setTimeout as delay } from "node:timers/promises";

import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import type { LogRow } from "../chain-hash.ts";
import { toVariableText, variableStatement } from "../log-entry.ts";
import { type ExportedSession, type ImportedLog, type LogClaims, StoreError } from "../store.ts";
import { eventKey } from "./event-key.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { eraseLog, importedLogs } from "./removed-logs.ts";
import { findRecordedNumber, keepSession, nextNumber } from "./session-number.ts";
import type { SqlDriver, SqlStatement, SqlTransaction } from "./sql-driver.ts";
import { dialectScope, keep } from "./sql-sessions.ts";

/**
 * Adds a session with its log, a few events at a time and with breaks: other writers have to wait for as long as a
 * transaction takes. The last one adds the session itself. Until then its rows belong to no session, and a process that
 * is killed leaves them to be erased like those of a removed session.
 */
export async function importRows(
  driver: SqlDriver,
  { session, log }: { session: ExportedSession; log: ImportedLog },
  { anchors, importer }: { anchors: LogAnchors; importer: string },
): Promise<void> {
  const number = await driver.transaction(async (transaction) => {
    await refuseKnown(transaction, session.id);
    const free = await nextNumber(transaction, anchors);
    await transaction.run([importedLogs.write(free, importer)]);
    return free;
  });
  const asImporter = async (work: (transaction: SqlTransaction) => MaybePromise<void>) =>
    driver.transaction(async (transaction) => {
      if ((await importedLogs.read(transaction.query)).get(number) !== importer)
        throw new StoreError("another process took the import for dead and removed its events");
      await work(transaction);
    });
  let last: LogRow | undefined;
  try {
    for await (const rows of inParts(log.rows)) {
      const startedAt = performance.now();
      last = rows.at(-1);
      await asImporter(({ run }) => run(rows.map((row) => insertRow(number, row))));
      await delay(performance.now() - startedAt);
    }
    await asImporter(async (transaction) => {
      await refuseKnown(transaction, session.id);
      const variables = log.variables().map((write) => variableStatement(toVariableText(write)));
      await transaction.run([
        ...sessionStatements(number, session, log.claims),
        ...variables,
        importedLogs.write(number),
      ]);
    });
  } catch (error) {
    await eraseLog(driver, number, importedLogs.write(number));
    throw error;
  }
  if (last?.hash) anchors.note(number, { sequence: last.sequence, hash: last.hash });
}

async function refuseKnown({ query }: Pick<SqlTransaction, "query">, id: string): Promise<void> {
  if ((await findRecordedNumber(query, id)) !== undefined)
    throw new StoreError(`there is a session ${JSON.stringify(id)} already`);
}

const partRows = 1000;
const partCharacters = 2_000_000;

async function* inParts(rows: AsyncIterable<LogRow>): AsyncGenerator<readonly LogRow[]> {
  let part: LogRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    part.push(row);
    characters += row.body.length;
    if (part.length < partRows && characters < partCharacters) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

function insertRow(number: number, row: LogRow): SqlStatement {
  const { sequence, at, channel, callId, position, previousHash, hash, body } = row;
  return {
    sql: "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    values: [eventKey(number, sequence), at, channel, callId, position, previousHash, hash ?? "", body],
  };
}

function sessionStatements(
  number: number,
  { id, taskId, workspace, createdAt, openedAt, closedAt, dialect }: ExportedSession,
  { end, former }: LogClaims,
): SqlStatement[] {
  const statements: SqlStatement[] = [
    keepSession(number, { id, taskId, workspace, at: createdAt }),
    { sql: setTimes, values: [openedAt, closedAt ?? openedAt, number] },
  ];
  if (dialect !== undefined) statements.push(keep(dialectScope, id, dialect));
  if (end === undefined) return statements;
  const values = [
    ...[number, end.receipts, end.hash, end.at, end.sequence],
    ...[former?.until ?? 0, former?.receipts ?? null, former?.hash ?? null],
  ];
  return [...statements, { sql: insertEnd, values }];
}

const setTimes = "UPDATE sessions SET opened_at = ?, closed_at = ? WHERE number = ?";
const insertEnd = `INSERT INTO chains
  (session_number, receipts, hash, last_at, sequence, former_until, former_receipts, former_hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
