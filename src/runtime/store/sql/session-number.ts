import { keysPerSession } from "./event-key.ts";
import type { LogAnchors } from "./log-anchors.ts";
import type { SqlQuery, SqlTransaction } from "./sql-driver.ts";

/** The number of a session's log; also for a session that is known only by its number. */
export async function findSessionNumber(query: SqlQuery, sessionId: string): Promise<number | undefined> {
  return (await findRecordedNumber(query, sessionId)) ?? numberInName(sessionId);
}

export async function findRecordedNumber(query: SqlQuery, sessionId: string): Promise<number | undefined> {
  const [row] = await query("SELECT number FROM sessions WHERE id = ?", [sessionId]);
  return row === undefined ? undefined : Number(row.number);
}

export interface NewSession {
  readonly id: string;
  readonly taskId: string;
  readonly workspace: string;
  readonly at: string;
}

/** Records a session under a new number, one that not even a log without a session record uses, or a log that is gone. */
export async function insertSession(
  transaction: SqlTransaction,
  { id, taskId, workspace, at }: NewSession,
  anchors: Pick<LogAnchors, "highestNumber">,
): Promise<number> {
  const [row] = await transaction.query(selectHighestNumber);
  const number = Math.max(Number(row?.number ?? 0), anchors.highestNumber()) + 1;
  await transaction.run([{ sql: insert, values: [number, id, taskId, workspace, at, at] }]);
  return number;
}

const insert = "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, NULL)";
const selectHighestNumber = `SELECT MAX(number) AS number FROM (
  SELECT MAX(number) AS number FROM sessions UNION ALL
  SELECT MAX(session_number) FROM chains UNION ALL
  SELECT MAX(key) / ${keysPerSession} FROM events) AS used`;

/** The name of a session that has nothing left but its log. */
export function nameByNumber(number: number): string {
  return `session #${number}`;
}

export function isNamedByNumber(sessionId: string): boolean {
  return numberInName(sessionId) !== undefined;
}

function numberInName(sessionId: string): number | undefined {
  const [, digits] = /^session #(\d+)$/.exec(sessionId) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
