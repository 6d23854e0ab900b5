import type { ProcessLives } from "../../../machine/locks/index.ts";
import { taskScope } from "../kept/kept-kind.ts";
import type { StoreMaintenance } from "../store.ts";
import { keyRange } from "./event-key.ts";
import { importRows } from "./import-rows.ts";
import type { LogAnchors } from "./log-anchors.ts";
import type { LogWriter } from "./log-writer.ts";
import { eraseRemoved, removedLogs } from "./removed-logs.ts";
import { findRecordedNumber } from "./session-number.ts";
import type { SqlDriver } from "./sql-driver.ts";

/** Removes, measures, adds and copies whole sessions. */
export function createMaintenance(
  driver: SqlDriver,
  { writer, anchors, lives }: { writer: LogWriter; anchors: LogAnchors; lives: ProcessLives },
): StoreMaintenance {
  const { flush, forget } = writer;
  let probing: Promise<void> | undefined;
  return {
    async removeSession({ id, openedAt, closedAt }) {
      await flush();
      const isRemoved = await driver.transaction(async (transaction) => {
        const [row] = await transaction.query("SELECT * FROM sessions WHERE id = ?", [id]);
        const isSame = row?.opened_at === openedAt && (row.closed_at ?? undefined) === closedAt;
        const scopes = await transaction.query("SELECT DISTINCT scope FROM variables");
        const own = scopes.map(({ scope }) => String(scope)).filter((scope) => isOwn(scope, id));
        if (!isSame) return false;
        const number = Number(row.number);
        // Before the rows: an anchor without its log would be a loss.
        anchors.remove(number);
        const taskId = String(row.task_id);
        await transaction.run([
          removedLogs.write(number, id),
          { sql: "DELETE FROM chains WHERE session_number = ?", values: [number] },
          { sql: "DELETE FROM sessions WHERE number = ?", values: [number] },
          // Its parent, dialect and lease.
          { sql: "DELETE FROM variables WHERE scope LIKE 'session-%' AND name = ?", values: [id] },
          ...own.map((scope) => ({ sql: "DELETE FROM variables WHERE scope = ?", values: [scope] })),
          { sql: deleteUnusedTask, values: [`${taskScope}:${taskId}`, taskId] },
        ]);
        return true;
      });
      if (isRemoved) forget(id);
      return isRemoved;
    },

    listRemoved: async () => [...(await removedLogs.read(driver.query)).values()],
    eraseRemoved: () => eraseRemoved(driver, lives),

    async measureLog(sessionId) {
      await flush();
      const number = await findRecordedNumber(driver.query, sessionId);
      if (number === undefined) return 0;
      const [row] = await driver.query(
        "SELECT COUNT(*) AS rows, SUM(LENGTH(body)) AS characters FROM events WHERE key > ? AND key < ?",
        keyRange(number),
      );
      return Number(row?.characters ?? 0) + Number(row?.rows ?? 0) * bytesBesideBody;
    },

    async importSession(session, log) {
      await flush();
      await importRows(driver, { session, log }, { anchors, importer: lives.own });
      forget(session.id);
    },

    async compact() {
      await flush();
      await driver.compact();
    },

    /**
     * Shares one probe among all callers while another process holds the store; otherwise waiting probes would pile up.
     */
    probe() {
      probing ??= (async () => driver.transaction(() => {}))().finally(() => {
        probing = undefined;
      });
      return probing;
    },

    findDamage: driver.findDamage,

    async backUp(file) {
      await flush();
      await driver.backUp(file);
    },

    removeDrafts: async () => driver.removeDrafts?.(),
  };
}

const deleteUnusedTask =
  "DELETE FROM variables WHERE scope = ? AND NOT EXISTS (SELECT 1 FROM sessions WHERE task_id = ?)";

// Hash, times and keys.
const bytesBesideBody = 150;

/**
 * Whether a scope holds variables of a session, which end with its id. Variables of a task may be another session's too.
 */
function isOwn(scope: string, id: string): boolean {
  return (
    scope.slice(scope.indexOf(":") + 1) === id && scope.includes(":") && !scope.startsWith(`${taskScope}:`)
  );
}
