import { isPlainObject } from "../../shared/json.ts";
import { defined } from "../../shared/options/defined.ts";
import { countOf } from "../../shared/text/count-of.ts";
import {
  chainHash,
  chainStartAfter,
  chainStartOf,
  createRowDigest,
  firstFormerHash,
  formerHash,
  type LogRow,
  linkText,
  maxLinkEvents,
} from "./chain-hash.ts";
import { parseObject } from "./parse-stored.ts";
import { numberInName } from "./sql/session-number.ts";
import type { LogClaims } from "./store.ts";

export interface BrokenLink {
  /** Number of the event in the log. */
  readonly sequence: number;
  /** For a receipt, if it can be told. */
  readonly callId?: string;
  readonly reason: string;
}

/** Checks the rows of one log, one after the other, against each other and against the claims recorded elsewhere. */
export type LogCheck = ReturnType<typeof createLogCheck>;

export function createLogCheck(sessionId: string, claims: LogClaims) {
  const { end, former, anchor, lastSequence, isEndDamaged, isOpenEnded = false } = claims;
  const until = former?.until ?? 0;
  const last = Math.max(lastSequence, end?.sequence ?? 0, anchor?.sequence ?? 0);
  const digest = createRowDigest();
  const checkCall = createCallCheck();
  let sequence = 0;
  let receipts = 0;
  /** The texts of the rows that no link has covered yet. */
  let unlinked: string[] = [];
  let hash = until > 0 ? firstFormerHash : chainStartOf(sessionId);

  /** For the part in which only receipts were linked. */
  const takeFormer = (row: LogRow): string | undefined => {
    digest.add(row);
    if (row.callId === null) return undefined;
    if (row.position !== receipts + 1) return `receipt ${receipts + 1} is missing`;
    if (row.previousHash !== hash) return notLinked;
    if (formerHash(hash, row.body) !== row.hash) return otherContent;
    hash = row.hash;
    receipts += 1;
    return undefined;
  };

  const takeLinked = (row: LogRow): string | undefined => {
    unlinked.push(linkText(row));
    if (row.callId !== null) {
      if (row.position !== receipts + 1) return `it is not counted as receipt ${receipts + 1}`;
      if (row.previousHash !== hash) return notLinked;
    } else if (row.position !== null || row.previousHash !== null || isEnd(row))
      return "it is a receipt without its call";
    if (row.hash === null)
      return row.callId !== null || unlinked.length >= maxLinkEvents ? noLink : undefined;
    if (chainHash(hash, unlinked.join("")) !== row.hash)
      return unlinked.length === 1
        ? otherContent
        : `one of the ${unlinked.length} events up to here does not match their hash`;
    hash = row.hash;
    unlinked = [];
    if (row.callId !== null) receipts += 1;
    return undefined;
  };

  const isLink = (recorded: string) => hash === recorded && unlinked.length === 0;

  /** Compares the log up to here with the records about it elsewhere. */
  const findContradiction = ({ at }: LogRow): string | undefined => {
    if (sequence === until && former !== undefined) {
      if (receipts !== former.receipts) return missingReceipts(former.receipts - receipts);
      if (hash !== former.hash) return "the last receipt is not the recorded one";
      hash = chainStartAfter(sessionId, former, digest.end());
    }
    if (anchor !== undefined && anchor !== null && sequence === anchor.sequence && !isLink(anchor.hash))
      return "the log up to here is not the one whose end was recorded outside of the store";
    if (end === undefined || sequence !== end.sequence) return undefined;
    if (!isLink(end.hash)) return "the last receipt is not the recorded one";
    if (receipts !== end.receipts) return missingReceipts(end.receipts - receipts);
    return sequence > until && at !== end.at ? "its time is not the recorded one" : undefined;
  };

  const findFault = (row: LogRow): string | undefined => {
    if (numberInName(sessionId) !== undefined) return "the record of its session is missing";
    const subject = row.callId === null ? undefined : readSubject(row.body);
    if (subject?.sessionId !== undefined && subject.sessionId !== sessionId && isIntact(row))
      return "its content is for another session";
    const wrong = row.sequence <= until ? takeFormer(row) : takeLinked(row);
    if (wrong !== undefined) return wrong;
    if (subject !== undefined && subject.callId !== row.callId)
      return "its content is for another call than its index says";
    const doubled = checkCall(row, subject?.status);
    if (doubled !== undefined) return doubled;
    const recordedEnd = isEndDamaged ? Number.POSITIVE_INFINITY : (end?.sequence ?? 0);
    if (row.callId !== null && row.sequence > until && row.sequence > recordedEnd)
      return "the log has receipts after the one recorded as the last";
    sequence = row.sequence;
    return findContradiction(row);
  };

  return {
    get events() {
      return sequence;
    },
    get receipts() {
      return receipts;
    },
    /** Whether all rows have been taken that there were when the check began. */
    isComplete: () => sequence >= last,
    /** Returns the fault of the row, if it has one. After a fault, no row is taken. */
    take(row: LogRow): BrokenLink | undefined {
      if (sequence >= last) return undefined;
      if (row.sequence !== sequence + 1)
        return { sequence: sequence + 1, reason: missingEvents(row.sequence - sequence - 1) };
      const reason = findFault(row);
      if (reason === undefined) return undefined;
      return { sequence: row.sequence, ...defined({ callId: row.callId ?? undefined }), reason };
    },
    /** The first fault of the log as a whole, after its rows have been checked. */
    finish(): BrokenLink | undefined {
      if (anchor === null)
        return { sequence, reason: "the end that was recorded outside of the store cannot be read" };
      if (isEndDamaged) return { sequence, reason: "the end that the store has recorded cannot be read" };
      if (sequence < last)
        return { sequence: sequence + 1, reason: `${missingEvents(last - sequence)} at the end` };
      if (unlinked.length > 0 && !isOpenEnded) return { sequence, reason: noLink };
      if (end !== undefined && end.sequence === 0 && end.receipts > 0)
        return { sequence: 1, reason: missingReceipts(end.receipts) };
      return undefined;
    },
  };
}

const notLinked = "it is not linked to the event before it";
const noLink = "no hash covers it";
const otherContent = "its content does not match its hash";

function missingEvents(count: number): string {
  if (count < 0) return "it is out of order";
  return count === 1 ? "an event is missing" : `${countOf(count, "event")} are missing`;
}

function missingReceipts(count: number): string {
  if (count < 0) return "there are more receipts than recorded";
  return count === 1 ? "a receipt is missing" : `${countOf(count, "receipt")} are missing`;
}

/** Whether the hash of a row fits its content, in whichever log the row was written. */
function isIntact(row: LogRow): boolean {
  const before = row.previousHash ?? "";
  return row.hash === chainHash(before, linkText(row)) || row.hash === formerHash(before, row.body);
}

function isEnd({ body }: LogRow): boolean {
  return body.startsWith('{"type":"call-end"');
}

function readSubject(body: string): Readonly<Record<string, unknown>> {
  const { receipt } = parseObject(body) ?? {};
  return isPlainObject(receipt) ? receipt : {};
}

/** Notices a call that has ended more often than it was started. One that was refused has an end without a start. */
function createCallCheck() {
  const isOpen = new Map<unknown, boolean>();
  return ({ callId, body }: LogRow, status: unknown): string | undefined => {
    if (body.startsWith('{"type":"call-start"')) isOpen.set(parseObject(body)?.callId, true);
    if (callId === null) return undefined;
    const wasOpen = isOpen.get(callId);
    if (wasOpen) isOpen.set(callId, false);
    return wasOpen === false && hasRun.has(status) ? "the call has ended already" : undefined;
  };
}

/** The statuses that only a call which was started can end with. */
const hasRun: ReadonlySet<unknown> = new Set(["done", "sealed", "timed-out"]);
