import { isoTime } from "../../shared/iso-time.ts";
import type { Receipt } from "../events/receipt.ts";
import { type Channel, channelOf } from "../events/session-event.ts";
import { eventKey } from "./event-key.ts";
import { type LogEntry, placeEntry } from "./log-entry.ts";
import { emptyHead, type LogHead } from "./log-head.ts";
import type { SqlRow } from "./sql-driver.ts";
import type { SessionRecord } from "./store.ts";
import { readText, type TextPlace } from "./text-pages.ts";

/** One session's log in memory. */
export interface MemoryLog {
  readonly number: number;
  readonly events: KeptEvent[];
  session: Omit<SessionRecord, "calls">;
  head: LogHead;
}

export interface KeptEvent {
  readonly at: string;
  readonly channel: Channel;
  readonly body: TextPlace;
  /** What links it to the chain, if a call ended with it. */
  readonly link: Pick<Receipt, "callId" | "position" | "previousHash" | "hash"> | undefined;
}

export function createMemoryLog(
  number: number,
  { id, taskId = id, workspace }: { id: string; taskId?: string; workspace: string },
): MemoryLog {
  const at = isoTime();
  const session = { id, taskId, workspace, createdAt: at, openedAt: at };
  return { number, events: [], session, head: emptyHead };
}

export function appendTo(log: MemoryLog, entry: LogEntry, keepText: (text: string) => TextPlace): void {
  log.head = placeEntry(entry, log.head);
  let ended = 0;
  for (const [index, event] of entry.events.entries()) {
    const link = event.type === "call-end" ? linkOf(entry.receipts[ended++]!) : undefined;
    const body = keepText(entry.bodies[index]!);
    log.events.push({ at: entry.at, channel: channelOf(event), body, link });
  }
}

/** Not the receipt itself, which is in the body too and may be long. */
function linkOf({ callId, position, previousHash, hash }: Receipt): KeptEvent["link"] {
  return { callId, position, previousHash, hash };
}

/** Those that are wanted of the events after a sequence number, in their order or the other way round. */
export function rowsOf(
  log: MemoryLog,
  query: { since?: number; limit?: number; isNewestFirst?: boolean; isWanted(event: KeptEvent): boolean },
): SqlRow[] {
  const { since = 0, limit = Number.POSITIVE_INFINITY, isNewestFirst = false, isWanted } = query;
  const { events } = log;
  const rows: SqlRow[] = [];
  for (let step = since; step < events.length && rows.length < limit; step++) {
    const index = isNewestFirst ? events.length - 1 - step : step;
    if (isWanted(events[index]!)) rows.push(rowOf(log, index + 1));
  }
  return rows;
}

/** An event as the table of events would hold it. */
function rowOf({ number, events, session }: MemoryLog, sequence: number): SqlRow {
  const { at, channel, body, link } = events[sequence - 1]!;
  const row = { key: eventKey(number, sequence), session_id: session.id, at, channel, body: readText(body) };
  if (link === undefined) return row;
  const { callId, position, previousHash, hash } = link;
  return { ...row, call_id: callId, position, previous_hash: previousHash, hash };
}

export function recordOf({ session, head }: MemoryLog): SessionRecord {
  return { ...session, calls: head.chain.receipts };
}
