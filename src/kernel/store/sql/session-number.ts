import { StoreError } from "../store.ts";
import { keysPerSession, maxSessionNumber } from "./event-key.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { removedNumbers } from "./removed-logs.ts";
import type { SqlQuery, SqlStatement, SqlTransaction } from "./sql-driver.ts";

/** The number of a session's log; also for a session that is known only by its number. */
export async function findSessionNumber(query: SqlQuery, sessionId: string): Promise<number | undefined> {
  return (await findRecordedNumber(query, sessionId)) ?? numberInName(sessionId);
}

/**
 * Finds the number of a log to verify, if need be without the index: by a damaged one, the log would seem to be empty.
 */
export async function findLogNumber(query: SqlQuery, sessionId: string): Promise<number | undefined> {
  const known = await findSessionNumber(query, sessionId);
  if (known !== undefined) return known;
  // All columns, because some of them could be read from the index alone.
  const row = (await query("SELECT * FROM sessions")).find(({ id }) => id === sessionId);
  return row && Number(row.number);
}

export async function findRecordedNumber(query: SqlQuery, sessionId: string): Promise<number | undefined> {
  const [row] = await query("SELECT number FROM sessions WHERE id = ?", [sessionId]);
  return row && Number(row.number);
}

export interface NewSession {
  readonly id: string;
  readonly taskId: string;
  readonly workspace: string;
  readonly at: string;
}

/** Records a session under a new number. */
export async function insertSession(transaction: SqlTransaction, session: NewSession, anchors: LogAnchors) {
  const number = await nextNumber(transaction, anchors);
  await transaction.run([keepSession(number, session)]);
  return number;
}

export function keepSession(number: number, { id, taskId, workspace, at }: NewSession): SqlStatement {
  return { sql: insert, values: [number, id, taskId, workspace, at, at] };
}

/** A number that no log uses: none without a session record either, none that is gone, and none that is being added. */
export async function nextNumber({ query }: SqlTransaction, anchors: LogAnchors): Promise<number> {
  const [row] = await query(selectHighestNumber);
  const used = [Number(row?.number ?? 0), anchors.highestNumber()];
  // A larger number comes from damage, and must not keep others from being counted.
  const number = Math.max(0, ...used.filter((each) => each < maxSessionNumber)) + 1;
  if (number === maxSessionNumber)
    throw new StoreError(`the store is full: it has numbered ${maxSessionNumber - 1} sessions`);
  return number;
}

const insert = "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, NULL)";
const selectHighestNumber = `SELECT MAX(number) AS number FROM (
  SELECT MAX(number) AS number FROM sessions WHERE number < ${maxSessionNumber} UNION ALL
  SELECT MAX(session_number) FROM chains WHERE session_number < ${maxSessionNumber} UNION ALL
  SELECT MAX(key) / ${keysPerSession} FROM events WHERE key < ${maxSessionNumber * keysPerSession} UNION ALL
  ${removedNumbers}) AS used`;

/** The name of a session that has nothing left but its log. */
export function nameByNumber(number: number): string {
  return `session #${number}`;
}

export function numberInName(sessionId: string): number | undefined {
  const [, digits] = /^session #(\d+)$/.exec(sessionId) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
