import { isPlainObject } from "../../../shared/json.ts";
import { withCurrentName } from "../../events/former-event-names.ts";
import type { Receipt } from "../../events/receipt.ts";
import type { CallEndEvent, LoggedEvent } from "../../events/session-event.ts";
import { damaged, parseStored } from "../parse-stored.ts";
import type { ReceiptText } from "../store.ts";
import { keysPerSession } from "./event-key.ts";
import { nameByNumber } from "./session-number.ts";
import type { SqlRow } from "./sql-driver.ts";

/** The start of every query whose rows the functions below read. */
export const selectEvents = `SELECT events.*,
  (SELECT id FROM sessions WHERE number = events.key / ${keysPerSession}) AS session_id FROM events`;

export function toEvent(row: SqlRow): LoggedEvent {
  return {
    sequence: sequenceOf(row),
    sessionId: sessionOf(row),
    at: String(row.at),
    channel: row.channel,
    ...withCurrentName(parseBody(row)),
  } as LoggedEvent;
}

export function toReceipt(row: SqlRow): Receipt {
  const { receipt } = parseBody(row) as unknown as CallEndEvent;
  const { position, previousHash, hash } = toReceiptText(row);
  return { ...receipt, position, previousHash, hash };
}

export function toReceiptText(row: SqlRow): ReceiptText {
  return {
    sequence: sequenceOf(row),
    position: Number(row.position),
    callId: String(row.call_id),
    body: String(row.body),
    previousHash: String(row.previous_hash),
    hash: String(row.hash),
  };
}

function parseBody(row: SqlRow): Record<string, unknown> {
  const place = `event ${sequenceOf(row)} of session ${sessionOf(row)}`;
  const body = parseStored(row.body, place);
  if (isPlainObject(body)) return body;
  throw damaged(place);
}

function sequenceOf({ key }: SqlRow): number {
  return Number(key) % keysPerSession;
}

function sessionOf({ key, session_id }: SqlRow): string {
  return session_id === null ? nameByNumber(Math.floor(Number(key) / keysPerSession)) : String(session_id);
}
