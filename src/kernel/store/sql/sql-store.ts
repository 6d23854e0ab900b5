import { isAbsolute } from "node:path";
import type { ProcessLives } from "../../../machine/locks/process-lives.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { variableStatement } from "../log-entry.ts";
import { parseStored } from "../parse-stored.ts";
import { readReceipts } from "../read-receipts.ts";
import { leaseScope, parseLease } from "../session-lease.ts";
import type { SessionLease, SessionParent, SessionRecord, Store } from "../store.ts";
import { firstKey, keysPerSession } from "./event-key.ts";
import { selectEvents, toEvent, toLogRow, toReceipts } from "./event-row.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { readLastSequence, readRecorded } from "./log-head.ts";
import { createLogWriter } from "./log-writer.ts";
import { dialectScope, keepDialect, keepParent, parentScope } from "./parent-and-dialect.ts";
import { createRecordKeeping } from "./record-keeping.ts";
import { removedNumbers } from "./removed-logs.ts";
import { prepareSchema } from "./schema.ts";
import { findLogNumber, findSessionNumber, insertSession, nameByNumber } from "./session-number.ts";
import type { SqlDriver, SqlQuery, SqlRow, SqlStatement } from "./sql-driver.ts";

/** The store in SQL: the same statements for every driver. */
export async function createSqlStore(
  driver: SqlDriver,
  { lives, anchors }: { lives: ProcessLives; anchors: LogAnchors },
): Promise<Store & Required<Pick<Store, "backUp">>> {
  await prepareSchema(driver);
  const writer = createLogWriter(driver, anchors);
  const query: SqlQuery = async (sql, values) => {
    await writer.flush();
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
    append: writer.append,
    onAppend: writer.onAppend,
    onAnyAppend: writer.onAnyAppend,
    ...(driver.changeCount && { foreign: { readCount: driver.changeCount, readEnds } }),

    async openSession({ id, taskId = id, workspace, parent, check, chooseDialect, takeLease }) {
      await writer.flush();
      const at = new Date().toISOString();
      const resumed = await driver.transaction(async (transaction) => {
        const [known] = await transaction.query(`${selectSessions} WHERE id = ?`, [id]);
        const session = known && toSession(known);
        if (session !== undefined) check?.(session);
        const recorded = session?.dialect;
        const dialect = chooseDialect?.(recorded);
        const lease = takeLease?.(known?.lease == null ? undefined : parseLease(known.lease));
        if (dialect !== undefined && dialect !== recorded) await transaction.run([keepDialect(id, dialect)]);
        if (lease !== undefined) await transaction.run([keepLease(id, lease)]);
        if (known !== undefined) await transaction.run([{ sql: reopenSession, values: [at, id] }]);
        else {
          await insertSession(transaction, { id, taskId, workspace, at }, anchors);
          if (parent !== undefined) await transaction.run([keepParent(id, parent)]);
        }
        return known !== undefined;
      });
      writer.forget(id);
      const [row] = await query(`${selectSessions} WHERE id = ?`, [id]);
      return { ...toSession(row!), resumed };
    },

    async closeSession(id) {
      await writer.flush();
      const now = new Date().toISOString();
      await driver.transaction((transaction) =>
        transaction.run([{ sql: "UPDATE sessions SET closed_at = ? WHERE id = ?", values: [now, id] }]),
      );
    },

    async listSessions() {
      const rows = await query(`${selectSessions} ORDER BY opened_at DESC, id`);
      return rows.map(toSession);
    },

    ...createRecordKeeping(driver, { flush: writer.flush, forget: writer.forget, anchors, lives }),

    async readEvents(sessionId, { since, limit, channels }) {
      const number = await numberOf(sessionId);
      if (number === undefined) return [];
      const first = firstKey(number);
      const filter = channels === undefined ? "" : ` AND channel IN (${channels.map(() => "?").join(", ")})`;
      const rows = await query(`${selectEvents} WHERE key > ? AND key < ?${filter} ORDER BY key LIMIT ?`, [
        first + since,
        first + keysPerSession,
        ...(channels ?? []),
        limit,
      ]);
      // A damaged database may return earlier events, and a reader that goes page by page would read them for ever.
      return rows.filter(({ key }) => Number(key) > first + since).map(toEvent);
    },

    async readReceipts(receiptQuery, onDamage) {
      return toReceipts(await readReceipts(query, receiptQuery), onDamage);
    },

    async readLogRows(sessionId, { since, limit }) {
      const number = await findLogNumber(query, sessionId);
      if (number === undefined) return [];
      const first = firstKey(number);
      const rows = await query(selectRows, [first + since, first + keysPerSession, limit]);
      return rows.map(toLogRow);
    },

    async readLogClaims(sessionId) {
      const number = await findLogNumber(query, sessionId);
      if (number === undefined) return { lastSequence: 0 };
      // In this order, each covers at least what was read before it, even if events are added meanwhile.
      const anchor = anchors.read(number);
      const lastSequence = await readLastSequence(query, number);
      const recorded = await readRecorded(query, number);
      return { lastSequence, ...recorded, ...(anchor !== undefined && { anchor }) };
    },

    async listLogs() {
      const rows = await query(selectLogs);
      const names = new Map(
        rows.map(({ id, number }) => [Number(number), typeof id === "string" ? id : undefined]),
      );
      for (const number of anchors.numbers()) if (!names.has(number)) names.set(number, undefined);
      const inOrder = [...names].sort(([one], [other]) => one - other);
      return inOrder.map(([number, id]) => id ?? nameByNumber(number));
    },

    async readLastSequence(sessionId) {
      const number = await numberOf(sessionId);
      return number === undefined ? 0 : readLastSequence(query, number);
    },

    isOwnedBy(sessionId, fence) {
      if (driver.queryNow === undefined) return true;
      const [row] = driver.queryNow(selectLease, [leaseScope, sessionId]);
      return row !== undefined && parseLease(row.value).fence === fence;
    },

    async readLease(sessionId) {
      const [row] = await query(selectLease, [leaseScope, sessionId]);
      return row === undefined ? undefined : parseLease(row.value);
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
        await writer.flush();
      } finally {
        anchors.close();
        lives.close();
        await driver.close();
      }
    },
  };
}

const selectLease = "SELECT value FROM variables WHERE scope = ? AND name = ?";
const reopenSession = "UPDATE sessions SET opened_at = ?, closed_at = NULL WHERE id = ?";
const selectSessions = `SELECT sessions.*, COALESCE(chains.receipts, 0) AS calls, parents.value AS parent,
    dialects.value AS dialect, leases.value AS lease
  FROM sessions LEFT JOIN chains ON chains.session_number = sessions.number
  LEFT JOIN variables AS parents ON parents.scope = '${parentScope}' AND parents.name = sessions.id
  LEFT JOIN variables AS dialects ON dialects.scope = '${dialectScope}' AND dialects.name = sessions.id
  LEFT JOIN variables AS leases ON leases.scope = '${leaseScope}' AND leases.name = sessions.id`;
const selectEnds = `SELECT id, (SELECT MAX(key) FROM events
    WHERE key > sessions.number * ${keysPerSession} AND key < (sessions.number + 1) * ${keysPerSession}) AS end
  FROM sessions WHERE closed_at IS NULL OR closed_at >= ?`;
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

function keepLease(id: string, lease: SessionLease): SqlStatement {
  return variableStatement({ scope: leaseScope, name: id, text: JSON.stringify(lease) });
}

function toSession(row: SqlRow): SessionRecord {
  return {
    id: String(row.id),
    taskId: String(row.task_id),
    // A damaged one would keep everybody from the session.
    workspace: isAbsolute(String(row.workspace)) ? String(row.workspace) : "",
    createdAt: String(row.created_at),
    openedAt: String(row.opened_at),
    ...(row.closed_at !== null && { closedAt: String(row.closed_at) }),
    calls: Number(row.calls),
    ...toDialect(row),
    ...toParent(row),
    ...ownerIn(row),
  };
}

function ownerIn({ lease }: SqlRow): Pick<SessionRecord, "owner"> {
  const { owner } = lease === null ? {} : parseLease(lease);
  return owner === undefined ? {} : { owner };
}

function toParent({ parent }: SqlRow): Pick<SessionRecord, "parent"> {
  const known = parent === null ? undefined : parseStored(parent);
  return isPlainObject(known) ? { parent: known as unknown as SessionParent } : {};
}

function toDialect({ dialect }: SqlRow): Pick<SessionRecord, "dialect"> {
  const known = dialect === null ? undefined : parseStored(dialect);
  return typeof known === "string" ? { dialect: known } : {};
}
