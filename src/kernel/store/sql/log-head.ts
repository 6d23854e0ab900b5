import { chainStartOf } from "../chain-hash.ts";
import type { LogAnchor, LogClaims } from "../store.ts";
import { firstKey, keyRange, keysPerSession } from "./event-key.ts";
import type { SqlQuery } from "./sql-driver.ts";

/** The end of a session's log. */
export interface LogHead {
  readonly sequence: number;
  readonly hash: string;
  /** How many of its events are receipts. */
  readonly receipts: number;
  /** The texts of events that no link covers yet, within one transaction. */
  readonly unlinked: string;
  readonly unlinkedEvents: number;
}

const allLinked = { unlinked: "", unlinkedEvents: 0 } as const;

export function emptyHead(sessionId: string): LogHead {
  return { sequence: 0, hash: chainStartOf(sessionId), receipts: 0, ...allLinked };
}

/**
 * Reads where to go on writing. If the end of the log is gone, that is not at the number of an event that was lost: the gap
 * goes on telling of the loss.
 */
export async function readLogHead(
  query: SqlQuery,
  { id, number, anchor }: { id: string; number: number; anchor: LogAnchor | null | undefined },
): Promise<LogHead> {
  const { end, former, isEndDamaged } = await readRecorded(query, number);

  const [last] = await query(selectLast, keyRange(number));
  const sequence = last === undefined ? 0 : Number(last.key) - firstKey(number);
  const isLinked = last !== undefined && sequence > (former?.until ?? 0);
  return {
    sequence: Math.max(sequence, end?.sequence ?? 0, anchor?.sequence ?? 0),
    hash: isLinked ? String(last.hash) : (end?.hash ?? chainStartOf(id)),
    receipts: isEndDamaged ? await readLastPosition(query, number) : (end?.receipts ?? 0),
    ...allLinked,
  };
}

async function readLastPosition(query: SqlQuery, sessionNumber: number): Promise<number> {
  const [row] = await query(selectLastPosition, keyRange(sessionNumber));
  return isCount(row?.position) ? row.position : 0;
}

export async function readLastSequence(query: SqlQuery, sessionNumber: number): Promise<number> {
  const [row] = await query(selectLast, keyRange(sessionNumber));
  return row === undefined ? 0 : Number(row.key) - firstKey(sessionNumber);
}

/** The end that the store itself has recorded. */
export async function readRecorded(query: SqlQuery, sessionNumber: number): Promise<Partial<LogClaims>> {
  const [row] = await query(selectRecorded, [sessionNumber]);
  if (row === undefined) return {};
  if (![row.receipts, row.sequence, row.former_until].every(isCount)) return { isEndDamaged: true };
  const end = {
    receipts: Number(row.receipts),
    sequence: Number(row.sequence),
    hash: String(row.hash),
    at: String(row.last_at),
  };
  const until = Number(row.former_until);
  const former = { until, receipts: Number(row.former_receipts), hash: String(row.former_hash) };
  return until === 0 ? { end } : { end, former };
}

/** Whether a value is a count that one log can hold. A damaged number must not lead to the place of another log. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < keysPerSession;
}

const selectLast = "SELECT key, hash FROM events WHERE key > ? AND key < ? ORDER BY key DESC LIMIT 1";
const selectLastPosition = `SELECT position FROM events
  WHERE key > ? AND key < ? AND call_id IS NOT NULL ORDER BY key DESC LIMIT 1`;
const selectRecorded = "SELECT * FROM chains WHERE session_number = ?";
