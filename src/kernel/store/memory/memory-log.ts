import { isoTime } from "../../../shared/iso-time.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { Channel } from "../../events/index.ts";
import { chainStartOf } from "../chain-hash.ts";
import { type LogEntry, placeEntry } from "../log-entry.ts";
import { eventKey } from "../sql/event-key.ts";
import { emptyHead, type LogHead } from "../sql/log-head.ts";
import type { SqlRow } from "../sql/sql-driver.ts";
import type { LogClaims, OpenedRecord, SessionRecord } from "../store.ts";
import { createTextColumn, type TextColumn, type TextPlace } from "./text-pages.ts";

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
  /** The hash, which always has the same length, or a blank, followed by the body of each event. */
  readonly texts: TextColumn;
  readonly receipts: ReceiptColumns;
  /** How much text it holds. */
  textLength: number;
}

interface ReceiptColumns {
  /** Sequence numbers of the events that are receipts. */
  readonly sequences: number[];
  readonly callIds: TextColumn;
}

const hashLength = 64;

export function createMemoryLog(
  number: number,
  { id, taskId = id, workspace, parent }: OpenedRecord,
): MemoryLog {
  const at = isoTime();
  return {
    number,
    session: { id, taskId, workspace, createdAt: at, openedAt: at, ...defined({ parent }) },
    head: emptyHead(id),
    times: [],
    channels: [],
    texts: createTextColumn(),
    receipts: { sequences: [], callIds: createTextColumn() },
    textLength: 0,
  };
}

export function appendTo(log: MemoryLog, entry: LogEntry, keepText: (text: string) => TextPlace): void {
  const { times, channels, texts, receipts } = log;
  // Events in memory cannot be changed from outside, so the last ones may wait for their link.
  log.head = placeEntry(entry, log.head);
  let ended = 0;
  for (let index = 0; index < entry.events.length; index += 1) {
    times.push(entry.at);
    channels.push(entry.channels[index]!);
    texts.push(keepText((entry.hashes[index] ?? " ") + entry.bodies[index]!));
    log.textLength += entry.bodies[index]!.length;
    if (entry.events[index]!.type !== "call-end") continue;
    receipts.sequences.push(times.length);
    receipts.callIds.push(keepText(entry.receipts[ended++]!.callId));
  }
}

/** The events after a sequence number, in order. */
export function eventRows(
  log: MemoryLog,
  { since, limit, channels }: { since: number; limit: number; channels?: readonly Channel[] | undefined },
): SqlRow[] {
  const rows: SqlRow[] = [];
  for (let index = since; index < log.times.length && rows.length < limit; index++) {
    if (channels === undefined || channels.includes(log.channels[index]!))
      rows.push(eventRow(log, index + 1));
  }
  return rows;
}

/** The rows after a sequence number, as the table of events would hold them. */
export function logRows(log: MemoryLog, { since, limit }: { since: number; limit: number }): SqlRow[] {
  const { sequences } = log.receipts;
  const rows: SqlRow[] = [];
  let place = firstAfter(sequences, since);
  for (let sequence = since + 1; sequence <= log.times.length && rows.length < limit; sequence++) {
    const isReceipt = sequences[place] === sequence;
    rows.push(isReceipt ? receiptRow(log, place) : eventRow(log, sequence));
    if (isReceipt) place += 1;
  }
  return rows;
}

/** The index of the first of ascending numbers that is larger. */
function firstAfter(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (numbers[middle]! > limit) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Receipts of all calls or of one, newest first. */
export function newestReceipts(
  log: MemoryLog,
  { limit, callId }: { limit: number; callId: string | undefined },
): SqlRow[] {
  const rows: SqlRow[] = [];
  for (let place = log.receipts.sequences.length - 1; place >= 0 && rows.length < limit; place--) {
    if (callId === undefined || log.receipts.callIds.read(place) === callId)
      rows.push(receiptRow(log, place));
  }
  return rows;
}

/** An event as the table of events would hold it. */
function eventRow({ number, session, times, channels, texts }: MemoryLog, sequence: number): SqlRow {
  const index = sequence - 1;
  const text = texts.read(index);
  const isLinked = !text.startsWith(" ");
  return {
    key: eventKey(number, sequence),
    session_id: session.id,
    at: times[index],
    channel: channels[index],
    hash: isLinked ? text.slice(0, hashLength) : null,
    body: text.slice(isLinked ? hashLength : 1),
  };
}

function receiptRow(log: MemoryLog, place: number): SqlRow {
  const sequence = log.receipts.sequences[place]!;
  return {
    ...eventRow(log, sequence),
    call_id: log.receipts.callIds.read(place),
    position: place + 1,
    previous_hash: linkBefore(log, sequence),
  };
}

function linkBefore(log: MemoryLog, sequence: number): unknown {
  for (let before = sequence - 1; before > 0; before--) {
    const { hash } = eventRow(log, before);
    if (hash !== null) return hash;
  }
  return chainStartOf(log.session.id);
}

export function claimsOf({ head, times, receipts, texts }: MemoryLog): LogClaims {
  const sequence = receipts.sequences.at(-1);
  const known = { lastSequence: head.sequence, isOpenEnded: true } as const;
  if (sequence === undefined) return known;
  const hash = texts.read(sequence - 1).slice(0, hashLength);
  const end = { receipts: head.receipts, sequence, hash, at: times[sequence - 1]! };
  return { ...known, end };
}
