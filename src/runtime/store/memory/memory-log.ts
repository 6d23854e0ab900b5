import { isoTime } from "../../../shared/iso-time.ts";
import { chainStart, type Receipt } from "../../events/receipt.ts";
import { type Channel, channelOf } from "../../events/session-event.ts";
import { type LogEntry, placeEntry } from "../log-entry.ts";
import { eventKey } from "../sql/event-key.ts";
import { emptyHead, type LogHead } from "../sql/log-head.ts";
import type { SqlRow } from "../sql/sql-driver.ts";
import type { OpenedRecord, SessionRecord } from "../store.ts";
import type { TextPlace } from "./text-pages.ts";
import { createTextColumn, type TextColumn } from "./text-pages.ts";

/**
 * One session's log in memory, stored in columns: with one object per event, the garbage collector would have to visit
 * each of them again and again.
 */
export interface MemoryLog {
  readonly number: number;
  session: Omit<SessionRecord, "calls">;
  head: LogHead;
  readonly times: string[];
  readonly channels: Channel[];
  readonly bodies: TextColumn;
  readonly receipts: ReceiptColumns;
}

interface ReceiptColumns {
  /** Sequence numbers of the events that are receipts. */
  readonly sequences: number[];
  /** Call id followed by the hash, which always has the same length. */
  readonly links: TextColumn;
}

export function createMemoryLog(
  number: number,
  { id, taskId = id, workspace, parent }: OpenedRecord,
): MemoryLog {
  const at = isoTime();
  return {
    number,
    session: { id, taskId, workspace, createdAt: at, openedAt: at, ...(parent && { parent }) },
    head: emptyHead,
    times: [],
    channels: [],
    bodies: createTextColumn(),
    receipts: { sequences: [], links: createTextColumn() },
  };
}

export function appendTo(log: MemoryLog, entry: LogEntry, keepText: (text: string) => TextPlace): void {
  const { times, channels, bodies, receipts } = log;
  log.head = placeEntry(entry, log.head);
  let ended = 0;
  for (const [index, event] of entry.events.entries()) {
    times.push(entry.at);
    channels.push(channelOf(event));
    bodies.push(keepText(entry.bodies[index]!));
    if (event.type !== "call-end") continue;
    const { callId, hash } = entry.receipts[ended++]!;
    receipts.sequences.push(times.length);
    receipts.links.push(keepText(callId + hash));
  }
}

/** The events after a sequence number, in order. */
export function eventRows(
  log: MemoryLog,
  { since, limit, channels }: { since: number; limit: number; channels?: readonly Channel[] },
): SqlRow[] {
  const rows: SqlRow[] = [];
  for (let index = since; index < log.times.length && rows.length < limit; index++) {
    if (channels === undefined || channels.includes(log.channels[index]!))
      rows.push(eventRow(log, index + 1));
  }
  return rows;
}

/** The receipts after a sequence number, in order. */
export function receiptRows(log: MemoryLog, { since, limit }: { since: number; limit: number }): SqlRow[] {
  const { sequences } = log.receipts;
  const rows: SqlRow[] = [];
  for (let place = 0; place < sequences.length && rows.length < limit; place++) {
    if (sequences[place]! > since) rows.push(receiptRow(log, place));
  }
  return rows;
}

/** Receipts of all calls or of one, newest first. */
export function newestReceipts(
  log: MemoryLog,
  { limit, callId }: { limit: number; callId: string | undefined },
): SqlRow[] {
  const rows: SqlRow[] = [];
  for (let place = log.receipts.sequences.length - 1; place >= 0 && rows.length < limit; place--) {
    if (callId === undefined || linkAt(log, place).callId === callId) rows.push(receiptRow(log, place));
  }
  return rows;
}

/** An event as the table of events would hold it. */
function eventRow({ number, session, times, channels, bodies }: MemoryLog, sequence: number): SqlRow {
  const index = sequence - 1;
  return {
    key: eventKey(number, sequence),
    session_id: session.id,
    at: times[index],
    channel: channels[index],
    body: bodies.read(index),
  };
}

function receiptRow(log: MemoryLog, place: number): SqlRow {
  const { callId, hash } = linkAt(log, place);
  const previousHash = place === 0 ? chainStart : linkAt(log, place - 1).hash;
  return {
    ...eventRow(log, log.receipts.sequences[place]!),
    call_id: callId,
    position: place + 1,
    previous_hash: previousHash,
    hash,
  };
}

function linkAt({ receipts }: MemoryLog, place: number): Pick<Receipt, "callId" | "hash"> {
  const text = receipts.links.read(place);
  const end = text.length - chainStart.length;
  return { callId: text.slice(0, end), hash: text.slice(end) };
}

export function recordOf({ session, head }: MemoryLog): SessionRecord {
  return { ...session, calls: head.chain.receipts };
}
