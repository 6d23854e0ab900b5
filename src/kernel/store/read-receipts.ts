import { newestFirst, type TimedRow, withTimes } from "./newest-of.ts";
import { keyRange, keysPerSession } from "./sql/event-key.ts";
import { selectEvents } from "./sql/event-row.ts";
import { removedNumbers } from "./sql/removed-logs.ts";
import { findSessionNumber } from "./sql/session-number.ts";
import type { SqlQuery, SqlRow } from "./sql/sql-driver.ts";
import type { ReceiptQuery } from "./store.ts";

/** Rows of receipts, newest first: for all sessions or one, for all calls or one. */
export async function readReceipts(
  query: SqlQuery,
  { sessionId, callId, limit = allOfThem }: ReceiptQuery,
): Promise<readonly SqlRow[]> {
  if (sessionId === undefined)
    return callId === undefined ? readNewest(query, limit) : query(selectOfCall, [callId, limit]);
  const number = await findSessionNumber(query, sessionId);
  if (number === undefined) return [];
  if (callId === undefined) return readOfSession(query, number, limit);
  return query(selectOfSessionAndCall, [...keyRange(number), callId, limit]);
}

const allOfThem = Number.MAX_SAFE_INTEGER;

/** Walks the sessions, the one whose last call ended latest first, until a session has nothing new enough. */
async function readNewest(query: SqlQuery, limit: number): Promise<readonly SqlRow[]> {
  let newest: readonly TimedRow[] = [];
  // As many sessions as receipts are enough: each one's last receipt is newer than anything in the sessions after it.
  for (const { session_number, last_at } of await query(selectLatestSessions, [limit])) {
    if (newest.length === limit && newest.at(-1)!.time >= String(last_at)) break;
    newest = newest.concat(withTimes(await readOfSession(query, Number(session_number), limit)));
    if (newest.length >= limit) newest = newestFirst(newest, limit);
  }
  return newestFirst(newest, limit).map(({ row }) => row);
}

async function readOfSession(
  query: SqlQuery,
  sessionNumber: number,
  limit: number,
): Promise<readonly SqlRow[]> {
  return query(selectOfSession, [...keyRange(sessionNumber), limit]);
}

const selectLatestSessions = `SELECT session_number, last_at FROM chains
  ORDER BY last_at DESC, session_number DESC LIMIT ?`;
const selectOfCall = `${selectEvents} WHERE call_id = ?
  AND key / ${keysPerSession} NOT IN (${removedNumbers}) ORDER BY at DESC, key DESC LIMIT ?`;
const selectOfSession = `${selectEvents} WHERE key > ? AND key < ? AND call_id IS NOT NULL
  ORDER BY key DESC LIMIT ?`;
const selectOfSessionAndCall = `${selectEvents} WHERE key > ? AND key < ? AND call_id = ?
  ORDER BY key DESC LIMIT ?`;
