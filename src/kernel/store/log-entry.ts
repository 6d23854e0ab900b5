import { isoTime } from "../../shared/iso-time.ts";
import { type Channel, channelByType, type Receipt, type SessionEvent } from "../events/index.ts";
import { chainHash, linkText, maxLinkEvents } from "./chain-hash.ts";
import { eventKey } from "./sql/event-key.ts";
import type { LogHead } from "./sql/log-head.ts";
import type { SqlStatement } from "./sql/sql-driver.ts";
import { ClaimLost, type Entry, OwnershipLost, type StoreError, type VariableWrite } from "./store.ts";

/** An entry to be appended. It gets its place in the log inside the transaction, when no other writer can take it. */
export interface LogEntry {
  readonly sessionId: string;
  readonly at: string;
  readonly events: readonly SessionEvent[];
  /** The events as text, made early: an event that is not JSON fails alone, and later changes to it have no effect. */
  readonly bodies: readonly string[];
  readonly channels: readonly Channel[];
  readonly variables: readonly VariableText[];
  readonly requires: readonly VariableText[];
  readonly fence: number | undefined;
  /** Why it was not written. */
  refusal: StoreError | undefined;
  /** The sequence number before its first event. */
  after: number;
  /** One for each event; null for an event that the next link covers. */
  hashes: readonly (string | null)[];
  /** One for each call that ends in this entry. */
  receipts: readonly Receipt[];
}

/** A variable to set, as JSON text; without text, to delete. */
export interface VariableText {
  readonly scope: string;
  readonly name: string;
  readonly text: string | undefined;
}

export function toLogEntry(sessionId: string, { events, variables, requires, fence }: Entry): LogEntry {
  return {
    sessionId,
    at: isoTime(),
    events,
    bodies: mapFew(events, toBody),
    channels: mapFew(events, channelOf),
    variables: variables === undefined ? none : variables.map(toVariableText),
    requires: requires === undefined ? none : requires.map(toVariableText),
    fence,
    refusal: undefined,
    after: 0,
    hashes: none,
    receipts: none,
  };
}

/** Most entries have one event, for which `map` takes longer than the rest. */
function mapFew<Item, Result>(items: readonly Item[], map: (item: Item) => Result): readonly Result[] {
  return items.length === 1 ? [map(items[0]!)] : items.map((item) => map(item));
}

function channelOf(event: SessionEvent): Channel {
  // A reader of `control` alone must see every question to a person, whichever agent asks it.
  return event.type === "subagent-event" ? event.event.channel : channelByType[event.type];
}

function toBody(event: SessionEvent): string {
  return JSON.stringify(event);
}

// Shared: making one for each field of each entry would be noticed.
const none: readonly never[] = [];

export function claimLost(): ClaimLost {
  return new ClaimLost("another process has claimed this in the meantime");
}

export function ownershipLost(sessionId: string): OwnershipLost {
  return new OwnershipLost(`another process has taken session ${sessionId} over`);
}

export function toVariableText({ scope, name, value }: VariableWrite): VariableText {
  return { scope, name, text: value === undefined ? undefined : JSON.stringify(value) };
}

/**
 * Places an entry at the end of its log, and returns the new end. Each receipt is linked to the link before, over all
 * events since; others only every so often, because a hash for each event would cost more than writing it.
 */
export function placeEntry(entry: LogEntry, head: LogHead): LogHead {
  const { at, events, bodies, channels } = entry;
  const hashes: (string | null)[] = [];
  const receipts: Receipt[] = [];
  let { sequence, hash, receipts: position, unlinked, unlinkedEvents } = head;
  entry.after = sequence;
  // By index: an iterator allocates an object for every event.
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index]!;
    sequence += 1;
    unlinked += linkText({ sequence, at, channel: channels[index]!, body: bodies[index]! });
    unlinkedEvents += 1;
    const isEnd = event.type === "call-end";
    if (!isEnd && unlinkedEvents < maxLinkEvents) {
      hashes.push(null);
      continue;
    }
    const previousHash = hash;
    hash = chainHash(previousHash, unlinked);
    hashes.push(hash);
    [unlinked, unlinkedEvents] = ["", 0];
    if (!isEnd) continue;
    position += 1;
    receipts.push({ ...event.receipt, position, previousHash, hash });
  }
  entry.hashes = hashes;
  entry.receipts = receipts;
  return { sequence, hash, receipts: position, unlinked, unlinkedEvents };
}

/** Links the last event of the last entry that is written at once: no event stays without a link that covers it. */
export function closeLink(entry: LogEntry, head: LogHead): LogHead {
  if (head.unlinkedEvents === 0) return head;
  const hash = chainHash(head.hash, head.unlinked);
  entry.hashes = entry.hashes.with(-1, hash);
  return { ...head, hash, unlinked: "", unlinkedEvents: 0 };
}

/** Adds the statements that write a placed entry to those of a transaction. */
export function addStatements(statements: SqlStatement[], entry: LogEntry, sessionNumber: number): void {
  const { at, events, bodies, channels, variables, receipts, hashes } = entry;
  let ended = 0;
  for (let index = 0; index < events.length; index += 1) {
    const { type } = events[index]!;
    const key = eventKey(sessionNumber, entry.after + index + 1);
    const [channel, hash, body] = [channels[index]!, hashes[index] ?? coveredByNext, bodies[index]!];
    if (type === "call-end") {
      const { callId, position, previousHash } = receipts[ended]!;
      ended += 1;
      const values = [key, at, channel, callId, position, previousHash, hash, body];
      statements.push({ sql: insertReceipt, values });
    } else if (hash === coveredByNext)
      statements.push({ sql: insertCovered, values: [key, at, channel, body] });
    else statements.push({ sql: insertEvent, values: [key, at, channel, hash, body] });
  }
  for (const variable of variables) statements.push(variableStatement(variable));
}

/** The sequence number of the last receipt in an entry. */
export function lastEndOf({ events, after }: LogEntry): number {
  return after + 1 + events.findLastIndex(({ type }) => type === "call-end");
}

export function variableStatement({ scope, name, text }: VariableText): SqlStatement {
  if (text === undefined) return { sql: deleteVariable, values: [scope, name] };
  return { sql: upsertVariable, values: [scope, name, text] };
}

// Null would be an event that a process of an older version has written.
const coveredByNext = "";
const insertEvent = "INSERT INTO events (key, at, channel, hash, body) VALUES (?, ?, ?, ?, ?)";
const insertCovered = `INSERT INTO events (key, at, channel, hash, body) VALUES (?, ?, ?, '${coveredByNext}', ?)`;
const insertReceipt = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
const deleteVariable = "DELETE FROM variables WHERE scope = ? AND name = ?";
const upsertVariable = `INSERT INTO variables VALUES (?, ?, ?)
  ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value`;
