import { chainStart } from "../../events/receipt.ts";
import type { ChainEnd } from "../store.ts";
import { firstKey, keysPerSession } from "./event-key.ts";
import type { SqlQuery } from "./sql-driver.ts";

/** Where a session's log and chain end. */
export interface LogHead {
  readonly sequence: number;
  readonly chain: ChainEnd;
}

export const emptyHead: LogHead = { sequence: 0, chain: { receipts: 0, hash: chainStart } };

export async function readLogHead(query: SqlQuery, sessionNumber: number): Promise<LogHead> {
  return {
    sequence: await readLastSequence(query, sessionNumber),
    chain: await readChainEnd(query, sessionNumber),
  };
}

export async function readLastSequence(query: SqlQuery, sessionNumber: number): Promise<number> {
  const first = firstKey(sessionNumber);
  const [row] = await query(selectLastKey, [first, first + keysPerSession]);
  return row?.key === undefined || row.key === null ? 0 : Number(row.key) - first;
}

export async function readChainEnd(query: SqlQuery, sessionNumber: number): Promise<ChainEnd> {
  const [row] = await query(selectChainEnd, [sessionNumber]);
  return row === undefined ? emptyHead.chain : { receipts: Number(row.receipts), hash: String(row.hash) };
}

const selectLastKey = "SELECT MAX(key) AS key FROM events WHERE key > ? AND key < ?";
const selectChainEnd = "SELECT receipts, hash FROM chains WHERE session_number = ?";
