import { chainStartAfter, firstFormerHash } from "../chain-hash.ts";
import { createRowDigest } from "../log-row.ts";
import { keyRange, keysPerSession } from "./event-key.ts";
import { toLogRow } from "./event-row.ts";
import { nameByNumber } from "./session-number.ts";
import type { SqlTransaction } from "./sql-driver.ts";

/**
 * From format 2, in which only receipts were linked, to 3, in which all events are. Old events stay as they are and are
 * verified by the former rules; the first new one is linked to all of them together.
 */
export async function linkFormerLogs(transaction: SqlTransaction): Promise<void> {
  await transaction.run(alterations.map((sql) => ({ sql })));
  for (const session of await transaction.query(selectSessions)) {
    const number = Number(session.number);
    const { until, digest } = await digestLog(transaction, number);
    const [end] = await transaction.query("SELECT * FROM chains WHERE session_number = ?", [number]);
    if (until === 0 && end === undefined) continue;
    const receipts = Number(end?.receipts ?? 0);
    const hash = String(end?.hash ?? firstFormerHash);
    const id = session.id === null ? nameByNumber(number) : String(session.id);
    const start = chainStartAfter(id, { until, receipts, hash }, digest);
    const lastAt = String(end?.last_at ?? "");
    const values = [number, receipts, start, lastAt, until, until, receipts, hash];
    await transaction.run([{ sql: upsertEnd, values }]);
  }
}

const pageSize = 1000;

async function digestLog(
  { query }: SqlTransaction,
  sessionNumber: number,
): Promise<{ until: number; digest: string }> {
  const [first, end] = keyRange(sessionNumber);
  const digest = createRowDigest();
  for (let until = 0; ; ) {
    const rows = await query(selectRows, [first + until, end, pageSize]);
    for (const row of rows.map(toLogRow)) {
      digest.add(row);
      until = row.sequence;
    }
    if (rows.length < pageSize) return { until, digest: digest.end() };
  }
}

const alterations = [
  "ALTER TABLE chains ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE chains ADD COLUMN former_until INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE chains ADD COLUMN former_receipts INTEGER",
  "ALTER TABLE chains ADD COLUMN former_hash TEXT",
  // A process of the older version may still be running, and must not write events without a link.
  `CREATE TRIGGER refuse_unlinked BEFORE INSERT ON events WHEN NEW.hash IS NULL BEGIN
     SELECT RAISE(ABORT, 'a newer version of Toolwright uses this store; restart this process'); END`,
];
const selectSessions = `SELECT logs.number, sessions.id FROM (
    SELECT number FROM sessions UNION SELECT session_number FROM chains
    UNION SELECT DISTINCT key / ${keysPerSession} FROM events) AS logs
  LEFT JOIN sessions ON sessions.number = logs.number ORDER BY logs.number`;
const selectRows = "SELECT * FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT ?";
const upsertEnd = `INSERT OR REPLACE INTO chains
  (session_number, receipts, hash, last_at, sequence, former_until, former_receipts, former_hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
