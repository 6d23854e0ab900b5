import { createHash, sha256 } from "../../shared/crypto.ts";

/** The fields of an event that go into the link that covers it, besides the hash of the link before. */
export interface LinkedRow {
  readonly sequence: number;
  readonly at: string;
  readonly channel: string;
  readonly body: string;
}

/** Bodies are JSON, in which no line ends, so every text can come from one list of rows only. */
export function linkText({ sequence, at, channel, body }: LinkedRow): string {
  return `\n${sequence}\n${at}\n${channel}\n${body}`;
}

/** The hash of a link over the texts of its rows; `verifyChain` recomputes it. */
export function chainHash(previousHash: string, texts: string): string {
  return sha256(previousHash + texts);
}

/** A link is made at the latest after so many events, so that a changed one is found among few. */
export const maxLinkEvents = 32;

/** Stands for the hash before a session's first event, so that no other session's log fits. */
export function chainStartOf(sessionId: string): string {
  return sha256(`toolwright log\n${sessionId}`);
}

/** The end of a log as it was before all events were linked: only its receipts were. */
export interface FormerEnd {
  /** Sequence number of the last event of that part. */
  readonly until: number;
  readonly receipts: number;
  readonly hash: string;
}

/** Stands for the hash before a session's first receipt in such a log. */
export const firstFormerHash = "0".repeat(64);

/** The hash of a receipt in such a log. */
export function formerHash(previousHash: string, body: string): string {
  return sha256(`${previousHash}\n${body}`);
}

/** Stands for the hash before the first linked event of such a log, and covers the whole former part. */
export function chainStartAfter(sessionId: string, { until, receipts, hash }: FormerEnd, digest: string) {
  return sha256(`toolwright log\n${sessionId}\n${until}\n${receipts}\n${hash}\n${digest}`);
}

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
