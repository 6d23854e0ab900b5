import { isoTime } from "../../shared/iso-time.ts";
import type { Receipt } from "../events/receipt.ts";
import { type CallEndEvent, channelOf, type SessionEvent } from "../events/session-event.ts";
import { chainHash } from "./chain-hash.ts";
import { eventKey } from "./sql/event-key.ts";
import type { LogHead } from "./sql/log-head.ts";
import type { SqlStatement } from "./sql/sql-driver.ts";
import { type ChainEnd, ClaimLost, type Entry, type VariableWrite } from "./store.ts";

/** An entry to be appended. It gets its place in the log inside the transaction, when no other writer can take it. */
export interface LogEntry {
  readonly sessionId: string;
  readonly at: string;
  readonly events: readonly SessionEvent[];
  /** The events as text, made early: an event that is not JSON fails alone, and later changes to it have no effect. */
  readonly bodies: readonly string[];
  readonly variables: readonly VariableText[];
  readonly requires: readonly VariableText[];
  /** What it requires was not so, and it was not written. */
  isRefused: boolean;
  /** The sequence number before its first event. */
  after: number;
  /** One for each call that ends in this entry. */
  receipts: readonly Receipt[];
}

/** A variable to set, as JSON text; without text, to delete. */
export interface VariableText {
  readonly scope: string;
  readonly name: string;
  readonly text: string | undefined;
}

export function toLogEntry(sessionId: string, { events, variables, requires }: Entry): LogEntry {
  return {
    sessionId,
    at: isoTime(),
    events,
    bodies: events.map((event) => JSON.stringify(event)),
    variables: variables === undefined ? [] : variables.map(toVariableText),
    requires: requires === undefined ? [] : requires.map(toVariableText),
    isRefused: false,
    after: 0,
    receipts: [],
  };
}

export function claimLost(): ClaimLost {
  return new ClaimLost("another process has claimed this in the meantime");
}

function toVariableText({ scope, name, value }: VariableWrite): VariableText {
  return { scope, name, text: value === undefined ? undefined : JSON.stringify(value) };
}

/** Places an entry at the end of its log, links its receipts to the chain, and returns the new end. */
export function placeEntry(entry: LogEntry, { sequence, chain }: LogHead): LogHead {
  const receipts: Receipt[] = [];
  let end = chain;
  for (const [index, event] of entry.events.entries()) {
    if (event.type !== "call-end") continue;
    const receipt = link(event, entry.bodies[index]!, end);
    receipts.push(receipt);
    end = { receipts: receipt.position, hash: receipt.hash };
  }
  entry.after = sequence;
  entry.receipts = receipts;
  return { sequence: sequence + entry.events.length, chain: end };
}

function link({ receipt }: CallEndEvent, body: string, chain: ChainEnd): Receipt {
  return {
    ...receipt,
    position: chain.receipts + 1,
    previousHash: chain.hash,
    hash: chainHash(chain.hash, body),
  };
}

/** Adds the statements that write a placed entry to those of a transaction. */
export function addStatements(statements: SqlStatement[], entry: LogEntry, sessionNumber: number): void {
  const { at, events, bodies, variables, receipts } = entry;
  let sequence = entry.after;
  let ended = 0;
  for (const event of events) {
    const body = bodies[sequence - entry.after]!;
    sequence += 1;
    const key = eventKey(sessionNumber, sequence);
    const channel = channelOf(event);
    if (event.type === "call-end") {
      const { callId, position, previousHash, hash } = receipts[ended]!;
      ended += 1;
      const values = [key, at, channel, callId, position, previousHash, hash, body];
      statements.push({ sql: insertReceipt, values });
    } else statements.push({ sql: insertEvent, values: [key, at, channel, body] });
  }
  for (const variable of variables) statements.push(variableStatement(variable));
}

export function variableStatement({ scope, name, text }: VariableText): SqlStatement {
  if (text === undefined) return { sql: deleteVariable, values: [scope, name] };
  return { sql: upsertVariable, values: [scope, name, text] };
}

const insertEvent = "INSERT INTO events (key, at, channel, body) VALUES (?, ?, ?, ?)";
const insertReceipt = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
const deleteVariable = "DELETE FROM variables WHERE scope = ? AND name = ?";
const upsertVariable = `INSERT INTO variables VALUES (?, ?, ?)
  ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value`;
