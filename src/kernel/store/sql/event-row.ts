import { isPlainObject } from "../../../shared/json.ts";
import { type CallEndEvent, type LoggedEvent, type Receipt, withCurrentName } from "../../events/index.ts";
import type { LogRow } from "../chain-hash.ts";
import { parseObject } from "../parse-stored.ts";
import { keyRange, keysPerSession } from "./event-key.ts";
import { nameByNumber } from "./session-number.ts";
import type { SqlQuery, SqlRow } from "./sql-driver.ts";

/** The start of every query whose rows the functions below read. */
export const selectEvents = `SELECT events.*,
  (SELECT id FROM sessions WHERE number = events.key / ${keysPerSession}) AS session_id FROM events`;

/** An event that cannot be read becomes a `log-damage` event: it must not make the others unreadable. */
export function toEvent(row: SqlRow): LoggedEvent {
  const about = {
    sequence: sequenceOf(row),
    sessionId: sessionOf(row),
    at: String(row.at),
    channel: row.channel,
  };
  const body = parseBody(row);
  if (body === undefined) return { ...about, type: "log-damage", reason: unreadable } as LoggedEvent;
  return { ...about, ...withCurrentName(body) } as LoggedEvent;
}

const unreadable = "the event cannot be read; `toolwright log --verify` tells what is damaged";

/** The receipts that can be read. */
export function toReceipts(rows: readonly SqlRow[], onDamage: (place: string) => void = () => {}): Receipt[] {
  const receipts: Receipt[] = [];
  for (const row of rows) {
    const receipt = toReceipt(row);
    if (receipt !== undefined) receipts.push(receipt);
    else
      onDamage(`event ${sequenceOf(row)} of session ${sessionOf(row)}, the receipt of call ${row.call_id}`);
  }
  return receipts;
}

function toReceipt(row: SqlRow): Receipt | undefined {
  const { receipt } = (parseBody(row) ?? {}) as Partial<CallEndEvent>;
  // Every reader of receipts relies on these.
  if (!isPlainObject(receipt) || typeof receipt.tool !== "string" || !isPlainObject(receipt.effects))
    return undefined;
  if (!isPlainObject(receipt.caller) || typeof receipt.status !== "string") return undefined;
  const { position, previousHash, hash } = toLogRow(row);
  return { ...receipt, position: position ?? 0, previousHash: previousHash ?? "", hash: hash ?? "" };
}

/** Reads rows of a log as they are stored, in their order, after a sequence number. */
export async function readLogRows(
  query: SqlQuery,
  { number, since, limit }: { number: number; since: number; limit: number },
): Promise<readonly LogRow[]> {
  const [first, end] = keyRange(number);
  return (await query(selectRows, [first + since, end, limit])).map(toLogRow);
}

const selectRows = "SELECT * FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT ?";

export function toLogRow(row: SqlRow): LogRow {
  return {
    sequence: sequenceOf(row),
    at: String(row.at),
    channel: String(row.channel),
    body: String(row.body),
    hash: textOrNull(row.hash) || null,
    callId: textOrNull(row.call_id),
    position: row.position === null || row.position === undefined ? null : Number(row.position),
    previousHash: textOrNull(row.previous_hash),
  };
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

function parseBody(row: SqlRow): Record<string, unknown> | undefined {
  const body = parseObject(row.body);
  return typeof body?.type === "string" ? body : undefined;
}

function sequenceOf({ key }: SqlRow): number {
  return Number(key) % keysPerSession;
}

function sessionOf({ key, session_id }: SqlRow): string {
  return session_id === null ? nameByNumber(Math.floor(Number(key) / keysPerSession)) : String(session_id);
}

export interface TimedRow {
  readonly row: SqlRow;
  readonly time: string;
}

/** Merges the rows of several sessions, newest first; each session's rows must be newest first already. */
export function newestOf(sessions: readonly (readonly SqlRow[])[], limit?: number): SqlRow[] {
  return newestFirst(sessions.flatMap(withTimes), limit).map(({ row }) => row);
}

/** Within a session the log's order wins: if the clock was set back, a receipt counts as no newer than the next one. */
export function withTimes(newestFirst: readonly SqlRow[]): TimedRow[] {
  let time = "";
  return newestFirst.map((row) => {
    const at = String(row.at);
    if (time === "" || at < time) time = at;
    return { row, time };
  });
}

export function newestFirst(rows: readonly TimedRow[], limit?: number): readonly TimedRow[] {
  return rows.toSorted(byTime).slice(0, limit);
}

function byTime(left: TimedRow, right: TimedRow): number {
  if (left.time === right.time) return 0;
  return left.time > right.time ? -1 : 1;
}
