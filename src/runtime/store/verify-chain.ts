import { isPlainObject } from "../../shared/json.ts";
import { chainStart } from "../events/receipt.ts";
import { chainHash } from "./chain-hash.ts";
import { isNamedByNumber } from "./sql/session-number.ts";
import type { ChainEnd, ReceiptText, Store } from "./store.ts";

export interface ChainReport {
  readonly sessionId: string;
  readonly receipts: number;
  /** The first broken link, if there is one. */
  readonly broken?: BrokenLink;
}

export interface BrokenLink {
  readonly position: number;
  /** Absent if there is no receipt to name. */
  readonly callId?: string;
  readonly reason: string;
}

const pageSize = 500;

/** Recomputes every hash of a session's chain, up to the recorded end as it is when this begins. */
export async function verifyChain(store: Store, sessionId: string): Promise<ChainReport> {
  const end = await store.readChainEnd(sessionId);
  let receipts = 0;
  let hash = chainStart;
  let since = 0;
  for (;;) {
    const page = await store.readReceiptTexts(sessionId, { since, limit: pageSize });
    for (const row of page) {
      // Calls may have ended meanwhile; then the recorded end has moved too.
      if (receipts === end.receipts && (await hasGrown(store, sessionId, end)))
        return report(sessionId, receipts, whyEndDiffers({ receipts, hash }, end));
      const broken = findBreak(row, { sessionId, position: receipts + 1, previousHash: hash });
      if (broken !== undefined) return report(sessionId, receipts, broken);
      ({ position: receipts, hash, sequence: since } = row);
    }
    if (page.length < pageSize) return report(sessionId, receipts, whyEndDiffers({ receipts, hash }, end));
  }
}

async function hasGrown(store: Store, sessionId: string, end: ChainEnd): Promise<boolean> {
  return (await store.readChainEnd(sessionId)).receipts > end.receipts;
}

function report(sessionId: string, receipts: number, broken: BrokenLink | undefined): ChainReport {
  return { sessionId, receipts, ...(broken && { broken }) };
}

function findBreak(
  row: ReceiptText,
  { sessionId, position, previousHash }: { sessionId: string; position: number; previousHash: string },
): BrokenLink | undefined {
  if (row.position !== position) return { position, reason: `receipt ${position} is missing` };
  const broken = (reason: string) => ({ position, callId: row.callId, reason });
  if (row.previousHash !== previousHash) return broken("it is not linked to the receipt before it");
  if (chainHash(row.previousHash, row.body) !== row.hash)
    return broken("its content does not match its hash");
  const about = readSubject(row.body);
  if (about.callId !== row.callId) return broken("its content is for another call than its index says");
  if (about.sessionId === sessionId) return undefined;
  if (isNamedByNumber(sessionId)) return broken("the record of its session is missing");
  return broken("its content is for another session");
}

function readSubject(body: string): { callId?: unknown; sessionId?: unknown } {
  try {
    const { receipt }: { receipt?: unknown } = JSON.parse(body);
    return isPlainObject(receipt) ? receipt : {};
  } catch {
    return {};
  }
}

function whyEndDiffers({ receipts, hash }: ChainEnd, end: ChainEnd): BrokenLink | undefined {
  const missing = end.receipts - receipts;
  const position = receipts + 1;
  if (missing > 1) return { position, reason: `${missing} receipts are missing at the end` };
  if (missing === 1) return { position, reason: "the last receipt is missing" };
  if (missing < 0) return { position: end.receipts + 1, reason: "the chain continues past its recorded end" };
  if (hash !== end.hash) return { position: receipts, reason: "the last receipt is not the recorded one" };
  return undefined;
}
