import { isPlainObject } from "../../shared/json.ts";
import { parseFrozen } from "../../shared/parse-frozen.ts";
import type { Receipt } from "../events/receipt.ts";
import type { CallEndEvent, LoggedEvent } from "../events/session-event.ts";
import { createLogWriter, toChainEnd } from "./log-writer.ts";
import { prepareSchema } from "./schema.ts";
import { type SqlDriver, type SqlRow, type SqlValue, StoreError } from "./sql-driver.ts";
import type { ReceiptQuery, ReceiptText, SessionRecord, Store } from "./store.ts";

/** The store in SQL: the same statements for every driver. */
export async function createSqlStore(driver: SqlDriver): Promise<Store> {
  await prepareSchema(driver);
  const writer = createLogWriter(driver);
  const query = async (sql: string, values: readonly SqlValue[]) => {
    await writer.flush();
    return driver.query(sql, values);
  };

  return {
    isShared: !driver.isPrivate,
    append: writer.append,
    onAppend: writer.onAppend,

    async openSession({ id, taskId = id, workspace }) {
      const now = new Date().toISOString();
      const resumed = await driver.transaction(async (transaction) => {
        const [known] = await transaction.query("SELECT id FROM sessions WHERE id = ?", [id]);
        if (known !== undefined) {
          await transaction.run([{ sql: reopenSession, values: [now, id] }]);
          return true;
        }
        await transaction.run([{ sql: insertSession, values: [id, taskId, workspace, now, now] }]);
        return false;
      });
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
      const rows = await query(`${selectSessions} ORDER BY opened_at DESC, id`, []);
      return rows.map(toSession);
    },

    async readEvents(sessionId, { since, limit, channels }) {
      const filter = channels === undefined ? "" : ` AND channel IN (${channels.map(() => "?").join(", ")})`;
      const rows = await query(
        `SELECT * FROM events WHERE session_id = ? AND sequence > ?${filter} ORDER BY sequence LIMIT ?`,
        [sessionId, since, ...(channels ?? []), limit],
      );
      return rows.map(toEvent);
    },

    async readReceipts(receiptQuery) {
      const { sql, values } = receiptStatement(receiptQuery);
      const rows = await query(sql, values);
      return rows.map(toReceipt);
    },

    async readReceiptTexts(sessionId, { since, limit }) {
      const sql = `SELECT * FROM events WHERE session_id = ? AND sequence > ? AND call_id IS NOT NULL
        ORDER BY sequence LIMIT ?`;
      const rows = await query(sql, [sessionId, since, limit]);
      return rows.map(toReceiptText);
    },

    async listChains() {
      const rows = await query(
        "SELECT id FROM sessions UNION SELECT session_id FROM chains UNION SELECT DISTINCT session_id FROM events",
        [],
      );
      return rows.map((row) => String(row.id));
    },

    async readChainEnd(sessionId) {
      const [row] = await query("SELECT receipts, hash FROM chains WHERE session_id = ?", [sessionId]);
      return toChainEnd(row);
    },

    async readLastSequence(sessionId) {
      const [row] = await query("SELECT MAX(sequence) AS sequence FROM events WHERE session_id = ?", [
        sessionId,
      ]);
      return Number(row?.sequence ?? 0);
    },

    async readVariables(scope) {
      const rows = await query("SELECT scope, name, value FROM variables WHERE scope = ?", [scope]);
      return new Map(rows.map(toVariable));
    },

    async close() {
      try {
        await writer.flush();
      } finally {
        await driver.close();
      }
    },
  };
}

const reopenSession = "UPDATE sessions SET opened_at = ?, closed_at = NULL WHERE id = ?";
const insertSession = "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, NULL)";
const selectSessions = `SELECT sessions.*, COALESCE(chains.receipts, 0) AS calls
  FROM sessions LEFT JOIN chains ON chains.session_id = sessions.id`;

function receiptStatement({ sessionId, callId, limit }: ReceiptQuery): { sql: string; values: SqlValue[] } {
  const filters = Object.entries({ session_id: sessionId, call_id: callId }).filter(
    ([, value]) => value !== undefined,
  );
  const where = ["call_id IS NOT NULL", ...filters.map(([column]) => `${column} = ?`)].join(" AND ");
  const values: SqlValue[] = filters.map(([, value]) => value!);
  if (limit !== undefined) values.push(limit);
  // The clock tells sessions apart only roughly; within one, its own order is the truth.
  const order =
    sessionId === undefined ? "ORDER BY at DESC, session_id, sequence DESC" : "ORDER BY sequence DESC";
  return {
    sql: `SELECT * FROM events WHERE ${where} ${order}${limit === undefined ? "" : " LIMIT ?"}`,
    values,
  };
}

function toSession(row: SqlRow): SessionRecord {
  return {
    id: String(row.id),
    taskId: String(row.task_id),
    workspace: String(row.workspace),
    createdAt: String(row.created_at),
    openedAt: String(row.opened_at),
    ...(row.closed_at !== null && { closedAt: String(row.closed_at) }),
    calls: Number(row.calls),
  };
}

function toEvent(row: SqlRow): LoggedEvent {
  return {
    sequence: Number(row.sequence),
    sessionId: String(row.session_id),
    at: String(row.at),
    channel: row.channel,
    ...parseBody(row),
  } as LoggedEvent;
}

function toReceipt(row: SqlRow): Receipt {
  const { receipt } = parseBody(row) as unknown as CallEndEvent;
  const { position, previousHash, hash } = toReceiptText(row);
  return { ...receipt, position, previousHash, hash };
}

function toReceiptText(row: SqlRow): ReceiptText {
  return {
    sequence: Number(row.sequence),
    position: Number(row.position),
    callId: String(row.call_id),
    body: String(row.body),
    previousHash: String(row.previous_hash),
    hash: String(row.hash),
  };
}

function parseBody(row: SqlRow): Record<string, unknown> {
  const place = `event ${row.sequence} of session ${row.session_id}`;
  const body = parseText(row.body, place);
  if (isPlainObject(body)) return body;
  throw damaged(place);
}

function toVariable({ scope, name, value }: SqlRow): [string, unknown] {
  return [String(name), parseText(value, `variable ${name} of ${scope}`, parseFrozen)];
}

/** Rows hold what we wrote ourselves, unless somebody has been at the file. */
function parseText(text: unknown, place: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(String(text));
  } catch {
    throw damaged(place);
  }
}

function damaged(place: string): StoreError {
  return new StoreError(`the store is damaged: ${place} is not what was written there`);
}
