import { createHash } from "../../shared/crypto.ts";

/** A row of a log as stored, not parsed: the exact texts that its hash was made of. */
export interface LogRow {
  readonly sequence: number;
  readonly at: string;
  readonly channel: string;
  readonly body: string;
  /** The hash of a link that ends with this row; null for a row that a later link covers. */
  readonly hash: string | null;
  /** The call of a receipt. This and the members below are null for all other events. */
  readonly callId: string | null;
  readonly position: number | null;
  readonly previousHash: string | null;
}

/** Hashes rows in which there is no hash, as one text. */
export function createRowDigest(): { add(row: LogRow): void; end(): string } {
  const digest = createHash("sha256");
  return {
    add({ sequence, at, channel, callId, position, previousHash, hash, body }) {
      digest.update(JSON.stringify([sequence, at, channel, callId, position, previousHash, hash, body]));
    },
    end: () => digest.digest("hex"),
  };
}
