import type { RawLogs } from "../store.ts";
import { keyRange, keysPerSession } from "./event-key.ts";
import { toLogRow } from "./event-row.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { readLastSequence, readRecorded } from "./log-head.ts";
import { removedNumbers } from "./removed-logs.ts";
import { findLogNumber, nameByNumber } from "./session-number.ts";
import type { SqlQuery } from "./sql-driver.ts";

/** Reads logs as they are stored, also those whose session's record is damaged or gone. */
export function createSqlRawLogs(query: SqlQuery, anchors: LogAnchors): RawLogs {
  return {
    async list() {
      const rows = await query(selectLogs);
      const names = new Map(
        rows.map(({ id, number }) => [Number(number), typeof id === "string" ? id : undefined]),
      );
      for (const number of anchors.numbers()) if (!names.has(number)) names.set(number, undefined);
      const inOrder = [...names].sort(([one], [other]) => one - other);
      return inOrder.map(([number, id]) => id ?? nameByNumber(number));
    },

    async readRows(sessionId, { since, limit }) {
      const number = await findLogNumber(query, sessionId);
      if (number === undefined) return [];
      const [first, end] = keyRange(number);
      return (await query(selectRows, [first + since, end, limit])).map(toLogRow);
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

const selectRows = "SELECT * FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT ?";
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
