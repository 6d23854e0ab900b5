import type { Receipt, ReceiptBody } from "../events/receipt.ts";
import type { Channel, LoggedEvent, SessionEvent } from "../events/session-event.ts";

export interface SessionRecord {
  readonly id: string;
  readonly taskId: string;
  readonly workspace: string;
  readonly createdAt: string;
  readonly openedAt: string;
  readonly closedAt?: string;
  /** How many calls have ended in it. */
  readonly calls: number;
}

/** Things that are written together or not at all. */
export interface Entry {
  readonly events: readonly SessionEvent[];
  readonly receipt?: ReceiptBody;
  readonly variables?: readonly VariableWrite[];
}

export interface VariableWrite {
  readonly scope: string;
  readonly name: string;
  /** `undefined` deletes it. */
  readonly value: unknown;
}

export interface Head {
  readonly lastSequence: number;
  readonly receiptCount: number;
  readonly receiptHash: string;
}

/** A receipt as it stands in the database, unread: the very text its hash was made of. */
export interface ReceiptText {
  readonly position: number;
  readonly callId: string;
  readonly body: string;
  readonly previousHash: string;
  readonly hash: string;
}

export interface ReceiptQuery {
  readonly sessionId?: string;
  readonly callId?: string;
  readonly limit?: number;
}

/** Where everything that outlives the process is kept: one log and one chain of receipts per session. */
export interface Store {
  /** Makes the session or opens it again. */
  openSession(session: {
    id: string;
    taskId?: string;
    workspace: string;
  }): Promise<SessionRecord & { resumed: boolean }>;
  closeSession(id: string): Promise<void>;
  listSessions(): Promise<readonly SessionRecord[]>;
  /** Returns once it is as durable as this store gets; entries of the same moment are written together. */
  append(sessionId: string, entry: Entry): Promise<Receipt | undefined>;
  readEvents(
    sessionId: string,
    query: { since: number; limit: number; channels?: readonly Channel[] },
  ): Promise<readonly LoggedEvent[]>;
  /** Newest first. */
  readReceipts(query: ReceiptQuery): Promise<readonly Receipt[]>;
  readReceiptTexts(
    sessionId: string,
    page: { after: number; limit: number },
  ): Promise<readonly ReceiptText[]>;
  readHead(sessionId: string): Promise<Head | undefined>;
  readVariables(scope: string): Promise<Map<string, unknown>>;
  /** Calls back after each append of this process to the session; others' appends have to be looked for. */
  onAppend(sessionId: string, listener: () => void): () => void;
  /** Other processes may write to it too. */
  readonly isShared: boolean;
  close(): Promise<void>;
}
