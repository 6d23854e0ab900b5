import { isoTime } from "../../../shared/iso-time.ts";
import { defined } from "../../../shared/options/defined.ts";
import { leaseScope } from "../session-lease.ts";
import {
  type OpenedRecord,
  type SessionRecord,
  type Store,
  StoreError,
  type StoreMaintenance,
} from "../store.ts";
import { createMemoryLog, type MemoryLog } from "./memory-log.ts";
import type { MemoryVariables } from "./memory-variables.ts";

type StoredSessions = Pick<Store, "openSession" | "closeSession" | "listSessions" | "close"> &
  Pick<StoreMaintenance, "removeSession">;

export type MemorySessions = ReturnType<typeof createMemorySessions>;

/**
 * The sessions in memory with their logs. All but `close` fail once the store is closed. `maxClosedLength` is how much text
 * the logs of closed sessions may hold; beyond that, the oldest are forgotten.
 */
export function createMemorySessions(variables: MemoryVariables, maxClosedLength: number) {
  const logs = new Map<string, MemoryLog>();
  let madeLogs = 0;
  /** The length of text that may be written before the logs of closed sessions can be too long. */
  let room = maxClosedLength;
  let isOpen = true;
  const checkOpen = () => {
    if (!isOpen) throw new StoreError("the store is not open");
  };
  const find = (id: string): MemoryLog | undefined => {
    checkOpen();
    return logs.get(id);
  };
  const all = () => {
    checkOpen();
    return [...logs.values()];
  };
  const make = (session: OpenedRecord): MemoryLog => {
    madeLogs += 1;
    const log = createMemoryLog(madeLogs, session);
    logs.set(session.id, log);
    return log;
  };
  const recordWithOwner = (log: MemoryLog): SessionRecord => {
    const owner = variables.leaseOf(log.session.id)?.owner;
    return { ...log.session, calls: log.head.receipts, ...defined({ owner }) };
  };
  const forget = ({ session: { id, taskId } }: MemoryLog) => {
    logs.delete(id);
    const isTaskNeeded = all().some(({ session }) => session.taskId === taskId);
    variables.forgetSession({ id, taskId }, isTaskNeeded);
  };
  const forgetOldest = () => {
    if (room >= 0) return;
    const closed = all().filter(({ session }) => session.closedAt !== undefined);
    let length = closed.reduce((sum, { textLength }) => sum + textLength, 0);
    for (const log of closed.sort(firstClosedFirst)) {
      if (length <= maxClosedLength) break;
      length -= log.textLength;
      forget(log);
    }
    room = all().reduce((left, { textLength }) => left - textLength, maxClosedLength);
  };
  const stored: StoredSessions = {
    async openSession(session) {
      const known = find(session.id);
      if (known !== undefined) session.check?.(recordWithOwner(known));
      const dialect = session.chooseDialect?.(known?.session.dialect);
      const lease = session.takeLease?.(variables.leaseOf(session.id));
      if (lease !== undefined)
        variables.write({ scope: leaseScope, name: session.id, text: JSON.stringify(lease) });
      const log = known ?? make(session);
      const { closedAt: _, ...rest } = log.session;
      log.session = { ...rest, openedAt: isoTime(), ...defined({ dialect }) };
      return { ...recordWithOwner(log), resumed: known !== undefined };
    },

    async closeSession(id) {
      const log = find(id);
      if (log !== undefined) log.session = { ...log.session, closedAt: isoTime() };
      forgetOldest();
    },

    listSessions: async () => all().map(recordWithOwner).sort(lastOpenedFirst),

    async removeSession({ id, openedAt, closedAt }) {
      const log = find(id);
      if (log?.session.openedAt !== openedAt || log.session.closedAt !== closedAt) return false;
      forget(log);
      return true;
    },

    async close() {
      isOpen = false;
      logs.clear();
    },
  };
  return {
    ...stored,
    find,
    findOrMake: (id: string) => find(id) ?? make({ id, workspace: "" }),
    all,
    checkOpen,
    noteGrowth(length: number) {
      room -= length;
    },
  };
}

function firstClosedFirst(left: MemoryLog, right: MemoryLog): number {
  return (left.session.closedAt ?? "") < (right.session.closedAt ?? "") ? -1 : 1;
}

function lastOpenedFirst(left: SessionRecord, right: SessionRecord): number {
  if (left.openedAt !== right.openedAt) return left.openedAt > right.openedAt ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}
