import type { LogEntry } from "../log-entry.ts";
import { firstKey } from "./event-key.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { type LogHead, readLogHead } from "./log-head.ts";
import { findRecordedNumber, insertSession } from "./session-number.ts";
import type { SqlTransaction } from "./sql-driver.ts";

/** The known end of a log, so that it need not be read before each entry. */
export interface KnownLog {
  readonly number: number;
  head: LogHead;
  /** The number of its session's lease, if that was asked for. */
  fence: number | undefined;
}

// How many sessions' log ends are remembered; a runtime may see many more in its life.
const maxKnownSessions = 1000;

/** The ends of the logs that this process has written to. They hold until another process writes. */
export function createKnownLogs(anchors: LogAnchors) {
  const logs = new Map<string, KnownLog>();
  /** By number, whether a log is what its anchor says. If not, that is left as it is, to go on telling so. */
  const isAnchored = new Map<number, boolean>();
  let changeCount: number | undefined;

  const readHead = async ({ query }: SqlTransaction, id: string, number: number): Promise<LogHead> => {
    const isSure = isAnchored.get(number) === true;
    const anchor = isSure ? undefined : anchors.read(number);
    const head = await readLogHead(query, { id, number, anchor });
    if (isSure || anchor === undefined) isAnchored.set(number, true);
    else if (anchor === null) isAnchored.set(number, false);
    else {
      const [row] = await query("SELECT hash FROM events WHERE key = ?", [
        firstKey(number) + anchor.sequence,
      ]);
      // An anchor of events that are gone has done its part: the gap that they leave is seen in the log itself.
      isAnchored.set(number, row === undefined || row.hash === anchor.hash);
    }
    return head;
  };

  return {
    get: (sessionId: string) => logs.get(sessionId),
    forget: (sessionId: string) => void logs.delete(sessionId),
    forgetAll: () => logs.clear(),

    /** Reads the end of an entry's log, and records its session if there is none. */
    async learn(transaction: SqlTransaction, { sessionId: id, at }: LogEntry): Promise<KnownLog> {
      const number =
        (await findRecordedNumber(transaction.query, id)) ??
        (await insertSession(transaction, { id, taskId: id, workspace: "", at }, anchors));
      const log = { number, head: await readHead(transaction, id, number), fence: undefined };
      logs.set(id, log);
      return log;
    },

    /** Forgets the ends if another process has written, which none can during a transaction. */
    forgetOutdated(count: number | undefined) {
      if (logs.size > maxKnownSessions) isAnchored.clear();
      else if (count !== undefined && count === changeCount) return;
      changeCount = count;
      logs.clear();
    },

    /** Notes the end of a log beside the store. */
    anchor(sessionId: string) {
      const log = logs.get(sessionId);
      if (log === undefined || log.head.sequence === 0) return;
      if (isAnchored.get(log.number)) anchors.note(log.number, log.head);
    },
  };
}
