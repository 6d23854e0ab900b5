import type { ProcessLives } from "../../../machine/locks/index.ts";
import { parseStored } from "../parse-stored.ts";
import type { RawLogs, ReceiptQuery, Store } from "../store.ts";
import { keyRange, keysPerSession } from "./event-key.ts";
import {
  newestFirst,
  readLogRows,
  selectEvents,
  type TimedRow,
  toEvent,
  toReceipts,
  withTimes,
} from "./event-row.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { readLastSequence, readRecorded } from "./log-head.ts";
import { createLogWriter } from "./log-writer.ts";
import { removedNumbers } from "./removed-logs.ts";
import { prepareSchema } from "./schema.ts";
import { findLogNumber, findSessionNumber, nameByNumber } from "./session-number.ts";
import type { SqlDriver, SqlQuery, SqlRow } from "./sql-driver.ts";
import { createMaintenance } from "./sql-maintenance.ts";
import { createSqlSessions } from "./sql-sessions.ts";

/** The store in SQL: the same statements for every driver. */
export async function createSqlStore(
  driver: SqlDriver,
  { lives, anchors }: { lives: ProcessLives; anchors: LogAnchors },
): Promise<Store> {
  await prepareSchema(driver);
  const writer = createLogWriter(driver, anchors);
  const { append, appends, onAppend, onAnyAppend, flush } = writer;
  const query: SqlQuery = async (sql, values) => {
    await flush();
    return driver.query(sql, values);
  };
  const numberOf = (sessionId: string) => findSessionNumber(query, sessionId);
  const readEnds = async (since: Date) => {
    const rows = await query(selectEnds, [since.toISOString()]);
    return new Map(rows.map(({ id, end }) => [String(id), Number(end)]));
  };

  return {
    isShared: true,
    lives,
    append,
    appends,
    onAppend,
    onAnyAppend,
    foreign: { readCount: driver.changeCount, readEnds },
    ...createSqlSessions(driver, { query, writer, anchors }),
    rawLogs: createSqlRawLogs(query, anchors),
    maintenance: createMaintenance(driver, { writer, anchors, lives }),

    async readEvents(sessionId, { since, limit, channels }) {
      const number = await numberOf(sessionId);
      if (number === undefined) return [];
      const [first, end] = keyRange(number);
      const filter = channels === undefined ? "" : ` AND channel IN (${channels.map(() => "?").join(", ")})`;
      const select = `${selectEvents} WHERE key > ? AND key < ?${filter} ORDER BY key LIMIT ?`;
      const rows = await query(select, [first + since, end, ...(channels ?? []), limit]);
      // A damaged database may return earlier events, and a reader that goes page by page would read them for ever.
      return rows.filter(({ key }) => Number(key) > first + since).map(toEvent);
    },

    async readReceipts(receiptQuery, onDamage) {
      return toReceipts(await readReceipts(query, receiptQuery), onDamage);
    },

    async readLastSequence(sessionId) {
      const number = await numberOf(sessionId);
      return number === undefined ? 0 : readLastSequence(query, number);
    },

    async readVariables(scope, onDamage) {
      const rows = await query("SELECT name, value FROM variables WHERE scope = ?", [scope]);
      const known = new Map<string, unknown>();
      for (const { name, value } of rows) {
        const parsed = parseStored(value);
        if (parsed === undefined) onDamage?.(String(name));
        else known.set(String(name), parsed);
      }
      return known;
    },

    async listScopes(prefix) {
      const rows = await query(selectScopes, [prefix, `${prefix}\uffff`]);
      return rows.map(({ scope }) => String(scope));
    },

    async close() {
      try {
        await flush();
      } finally {
        anchors.close();
        lives.close();
        await driver.close();
      }
    },
  };
}

const selectScopes = "SELECT DISTINCT scope FROM variables WHERE scope >= ? AND scope < ?";
const selectEnds = `SELECT id, (SELECT MAX(key) FROM events
    WHERE key > sessions.number * ${keysPerSession} AND key < (sessions.number + 1) * ${keysPerSession}) AS end
  FROM sessions WHERE closed_at IS NULL OR closed_at >= ?`;

/** Reads logs as they are stored, also those whose session's record is damaged or gone. */
function createSqlRawLogs(query: SqlQuery, anchors: LogAnchors): RawLogs {
  return {
    async list() {
      const rows = await query(selectLogs);
      const names = new Map(anchors.numbers().map((number) => [number, nameByNumber(number)]));
      for (const { id, number } of rows)
        names.set(Number(number), typeof id === "string" ? id : nameByNumber(Number(number)));
      return [...names].sort(([one], [other]) => one - other).map(([, name]) => name);
    },

    async readRows(sessionId, page) {
      const number = await findLogNumber(query, sessionId);
      return number === undefined ? [] : readLogRows(query, { number, ...page });
    },

    async readClaims(sessionId) {
      const number = await findLogNumber(query, sessionId);
      if (number === undefined) return { lastSequence: 0 };
      // In this order, each covers at least the events that the one read before it covers, even if more are added meanwhile.
      const anchor = anchors.read(number);
      const lastSequence = await readLastSequence(query, number);
      const recorded = await readRecorded(query, number);
      return { lastSequence, anchor, ...recorded };
    },
  };
}

// Steps from session to session through the log, without reading the events in between. Not `UNION ALL`: in a damaged
// database, what comes after a number may be the same one again, for ever.
const selectLogs = `WITH RECURSIVE logs (number) AS (
    SELECT MIN(key) / ${keysPerSession} FROM events UNION
    SELECT (SELECT MIN(key) / ${keysPerSession} FROM events WHERE key >= (logs.number + 1) * ${keysPerSession})
    FROM logs WHERE logs.number IS NOT NULL)
  SELECT known.number, sessions.id FROM (
    SELECT number FROM sessions UNION SELECT session_number FROM chains UNION SELECT number FROM logs) AS known
  LEFT JOIN sessions ON sessions.number = known.number
  WHERE known.number IS NOT NULL AND known.number NOT IN (${removedNumbers}) ORDER BY known.number`;

/** Rows of receipts, newest first: for all sessions or one, for all calls or one. */
async function readReceipts(query: SqlQuery, { sessionId, callId, limit = allOfThem }: ReceiptQuery) {
  if (sessionId === undefined)
    return callId === undefined ? readNewest(query, limit) : query(selectOfCall, [callId, limit]);
  const number = await findSessionNumber(query, sessionId);
  if (number === undefined) return [];
  if (callId === undefined) return query(selectOfSession, [...keyRange(number), limit]);
  return query(selectOfSessionAndCall, [...keyRange(number), callId, limit]);
}

const allOfThem = Number.MAX_SAFE_INTEGER;

/** Walks the sessions, the one whose last call ended latest first, until a session has nothing new enough. */
async function readNewest(query: SqlQuery, limit: number): Promise<readonly SqlRow[]> {
  let newest: readonly TimedRow[] = [];
  // As many sessions as receipts are enough: each one's last receipt is newer than anything in the sessions after it.
  for (const { session_number, last_at } of await query(selectLatestSessions, [limit])) {
    if (newest.length === limit && newest.at(-1)!.time >= String(last_at)) break;
    const rows = await query(selectOfSession, [...keyRange(Number(session_number)), limit]);
    newest = newest.concat(withTimes(rows));
    if (newest.length >= limit) newest = newestFirst(newest, limit);
  }
  return newestFirst(newest, limit).map(({ row }) => row);
}

const selectLatestSessions = `SELECT session_number, last_at FROM chains
  ORDER BY last_at DESC, session_number DESC LIMIT ?`;
const selectOfCall = `${selectEvents} WHERE call_id = ?
  AND key / ${keysPerSession} NOT IN (${removedNumbers}) ORDER BY at DESC, key DESC LIMIT ?`;
const selectOfSession = `${selectEvents} WHERE key > ? AND key < ? AND call_id IS NOT NULL
  ORDER BY key DESC LIMIT ?`;
const selectOfSessionAndCall = `${selectEvents} WHERE key > ? AND key < ? AND call_id = ?
  ORDER BY key DESC LIMIT ?`;
