import type { ProcessLives } from "../../../machine/locks/process-lives.ts";
import { parseStored } from "../parse-stored.ts";
import { readReceipts } from "../read-receipts.ts";
import type { Store } from "../store.ts";
import { keyRange, keysPerSession } from "./event-key.ts";
import { selectEvents, toEvent, toReceipts } from "./event-row.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { readLastSequence } from "./log-head.ts";
import { createLogWriter } from "./log-writer.ts";
import { prepareSchema } from "./schema.ts";
import { findSessionNumber } from "./session-number.ts";
import type { SqlDriver, SqlQuery } from "./sql-driver.ts";
import { createMaintenance } from "./sql-maintenance.ts";
import { createSqlRawLogs } from "./sql-raw-logs.ts";
import { createSqlSessions } from "./sql-sessions.ts";

/** The store in SQL: the same statements for every driver. */
export async function createSqlStore(
  driver: SqlDriver,
  { lives, anchors }: { lives: ProcessLives; anchors: LogAnchors },
): Promise<Store & { readonly maintenance: ReturnType<typeof createMaintenance> }> {
  await prepareSchema(driver);
  const writer = createLogWriter(driver, anchors);
  const { append, onAppend, onAnyAppend, flush } = writer;
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
    onAppend,
    onAnyAppend,
    foreign: driver.changeCount && { readCount: driver.changeCount, readEnds },
    ...createSqlSessions(driver, { query, writer, anchors }),
    rawLogs: createSqlRawLogs(query, anchors),
    maintenance: createMaintenance(driver, { writer, anchors, lives }),

    async readEvents(sessionId, { since, limit, channels }) {
      const number = await numberOf(sessionId);
      if (number === undefined) return [];
      const [first, end] = keyRange(number);
      const filter = channels === undefined ? "" : ` AND channel IN (${channels.map(() => "?").join(", ")})`;
      const rows = await query(`${selectEvents} WHERE key > ? AND key < ?${filter} ORDER BY key LIMIT ?`, [
        first + since,
        end,
        ...(channels ?? []),
        limit,
      ]);
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
      const rows = await query("SELECT DISTINCT scope FROM variables WHERE scope >= ? AND scope < ?", [
        prefix,
        `${prefix}\uffff`,
      ]);
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

const selectEnds = `SELECT id, (SELECT MAX(key) FROM events
    WHERE key > sessions.number * ${keysPerSession} AND key < (sessions.number + 1) * ${keysPerSession}) AS end
  FROM sessions WHERE closed_at IS NULL OR closed_at >= ?`;
