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

/** Makes every hash of a session's chain again, and compares its end with the head that is kept apart. */
export async function verifyChain(store: Store, sessionId: string): Promise<ChainReport> {
  const head = await store.readHead(sessionId);
  let previousHash = chainStart;
  let position = 0;
  for (;;) {
    const page = await store.readReceiptTexts(sessionId, { after: position, limit: pageSize });
    for (const row of page) {
      const broken = whyBroken(row, { position: position + 1, previousHash });
      if (broken !== undefined) {
        return {
          sessionId,
          receipts: position,
          broken: { position: position + 1, callId: row.callId, reason: broken },
        };
      }
      position += 1;
      previousHash = row.hash;
    }
    if (page.length < pageSize) break;
  }
  const expected = head?.receiptCount ?? 0;
  if (position !== expected || (head !== undefined && head.receiptHash !== previousHash)) {
    const reason =
      position < expected
        ? `${expected - position} receipts are missing at the end`
        : "the end does not match the head of the chain";
    return { sessionId, receipts: position, broken: { position: position + 1, reason } };
  }
  return { sessionId, receipts: position };
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
