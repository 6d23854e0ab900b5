import { chainStart } from "../events/receipt.ts";
import { chainHash } from "./log-writer.ts";
import type { ReceiptText, Store } from "./store.ts";

export interface ChainReport {
  readonly sessionId: string;
  readonly receipts: number;
  /** The first place where the chain does not hold, if there is one. */
  readonly broken?: { readonly position: number; readonly callId?: string; readonly reason: string };
}

const pageSize = 500;

/** Makes every hash of a session's chain again, and compares its end with the one that is kept apart. */
export async function verifyChain(store: Store, sessionId: string): Promise<ChainReport> {
  const end = await store.readChainEnd(sessionId);
  let previousHash = chainStart;
  let receipts = 0;
  let since = 0;
  for (;;) {
    const page = await store.readReceiptTexts(sessionId, { since, limit: pageSize });
    for (const row of page) {
      const position = receipts + 1;
      const reason = whyBroken(row, { position, previousHash });
      if (reason !== undefined)
        return { sessionId, receipts, broken: { position, callId: row.callId, reason } };
      receipts = position;
      previousHash = row.hash;
      since = row.sequence;
    }
    if (page.length < pageSize) break;
  }
  if (receipts === end.receipts && previousHash === end.hash) return { sessionId, receipts };
  const missing = end.receipts - receipts;
  const reason =
    missing > 0 ? `${missing} receipts are missing at the end` : "the chain goes on past its recorded end";
  return { sessionId, receipts, broken: { position: receipts + 1, reason } };
}

function whyBroken(
  row: ReceiptText,
  expected: { position: number; previousHash: string },
): string | undefined {
  if (row.position !== expected.position) return `receipt ${expected.position} is missing`;
  if (row.previousHash !== expected.previousHash) return "it is not linked to the receipt before it";
  if (chainHash(row.previousHash, row.body) !== row.hash) return "its content does not match its hash";
  if (callIdOf(row.body) !== row.callId) return "its content is about another call than its index says";
  return undefined;
}

function callIdOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { callId?: unknown }).callId;
  } catch {
    return undefined;
  }
}
