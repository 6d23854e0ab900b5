import { isAbsolute } from "node:path";

import { defined } from "../../../shared/options/defined.ts";
import { variableStatement } from "../log-entry.ts";
import { parseObject, parseStored } from "../parse-stored.ts";
import { leaseScope, parseLease } from "../session-lease.ts";
import type { SessionParent, SessionRecord, Store } from "../store.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { findLease, type LogWriter, selectVariable } from "./log-writer.ts";
import { insertSession } from "./session-number.ts";
import type { SqlDriver, SqlQuery, SqlRow, SqlStatement } from "./sql-driver.ts";

/** The records of sessions, and who owns them. `query` sees everything appended so far. */
export function createSqlSessions(
  driver: SqlDriver,
  { query, writer, anchors }: { query: SqlQuery; writer: LogWriter; anchors: LogAnchors },
): Pick<Store, "openSession" | "closeSession" | "listSessions" | "isOwnedBy" | "readLease"> {
  return {
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
        if (dialect !== undefined && dialect !== recorded)
          await transaction.run([keep(dialectScope, id, dialect)]);
        if (lease !== undefined) await transaction.run([keep(leaseScope, id, lease)]);
        if (known !== undefined) await transaction.run([{ sql: reopenSession, values: [at, id] }]);
        else {
          await insertSession(transaction, { id, taskId, workspace, at }, anchors);
          if (parent !== undefined) await transaction.run([keep(parentScope, id, parent)]);
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

    listSessions: async () => (await query(`${selectSessions} ORDER BY opened_at DESC, id`)).map(toSession),

    isOwnedBy(sessionId, fence) {
      const [row] = driver.queryNow(selectVariable, [leaseScope, sessionId]);
      return row !== undefined && parseLease(row.value).fence === fence;
    },

    readLease: (sessionId) => findLease(query, sessionId),
  };
}

// Few sessions have a parent, and those of older versions have no dialect, so both are variables instead of columns.
const parentScope = "session-parents";
export const dialectScope = "session-dialects";

const reopenSession = "UPDATE sessions SET opened_at = ?, closed_at = NULL WHERE id = ?";
const selectSessions = `SELECT sessions.*, COALESCE(chains.receipts, 0) AS calls, parents.value AS parent,
    dialects.value AS dialect, leases.value AS lease
  FROM sessions LEFT JOIN chains ON chains.session_number = sessions.number
  LEFT JOIN variables AS parents ON parents.scope = '${parentScope}' AND parents.name = sessions.id
  LEFT JOIN variables AS dialects ON dialects.scope = '${dialectScope}' AND dialects.name = sessions.id
  LEFT JOIN variables AS leases ON leases.scope = '${leaseScope}' AND leases.name = sessions.id`;

/** Writes a fact about a session into a scope that has one for each session. */
export function keep(scope: string, id: string, fact: unknown): SqlStatement {
  return variableStatement({ scope, name: id, text: JSON.stringify(fact) });
}

function toSession(row: SqlRow): SessionRecord {
  const dialect = parseStored(row.dialect);
  return {
    id: String(row.id),
    taskId: String(row.task_id),
    // A damaged one would make it impossible to open the session.
    workspace: isAbsolute(String(row.workspace)) ? String(row.workspace) : "",
    createdAt: String(row.created_at),
    openedAt: String(row.opened_at),
    ...defined({ closedAt: row.closed_at === null ? undefined : String(row.closed_at) }),
    calls: Number(row.calls),
    ...defined({
      dialect: typeof dialect === "string" ? dialect : undefined,
      parent: parseObject(row.parent) as SessionParent | undefined,
      owner: row.lease === null ? undefined : parseLease(row.lease).owner,
    }),
  };
}
