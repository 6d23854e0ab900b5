import type { ProcessLives } from "../../machine/locks/index.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { knownKeys, value } from "../../shared/options/known-keys.ts";
import type { Channel, LoggedEvent, Receipt, SessionEvent } from "../events/index.ts";
import type { FormerEnd, LogRow } from "./chain-hash.ts";
import type { ProcessLife } from "./process-life.ts";

export interface SessionRecord {
  readonly id: string;
  readonly taskId: string;
  readonly workspace: string;
  readonly createdAt: string;
  readonly openedAt: string;
  readonly closedAt?: string;
  /** Number of calls that have ended in it. */
  readonly calls: number;
  /** The dialect that it was last opened with. */
  readonly dialect?: string;
  /** For the session of a sub-agent. */
  readonly parent?: SessionParent;
  /** The process that has it open, or had it when it died. */
  readonly owner?: SessionOwner;
}

/** The process that has a session open. */
export interface SessionOwner extends ProcessLife {
  /** The machine or container that the pid is of. */
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
}

/** The ownership of a session. Its number grows with each owner, and outlives them. */
export interface SessionLease {
  readonly fence: number;
  readonly owner?: SessionOwner;
  /** The stored lease cannot be read, so no entry can require it. Opening the session writes a new one. */
  readonly isDamaged?: true;
}

/** The session that a sub-agent was spawned from, and why. */
export interface SessionParent {
  readonly sessionId: string;
  readonly agentId: string;
  readonly title: string;
  readonly kind?: string;
}

export interface OpenedRecord {
  readonly id: string;
  readonly taskId?: string | undefined;
  readonly workspace: string;
  /** Used only when the session is created; its parent never changes. */
  readonly parent?: SessionParent | undefined;
  /** Called with the record of a session that is there already. If it throws, nothing is recorded. */
  readonly check?: (known: SessionRecord) => void;
  /** Chooses the dialect to record, given the one on record. If it throws, nothing is recorded. */
  readonly chooseDialect?: (recorded: string | undefined) => string;
  /** Chooses the lease to record, given the one on record. If it throws, nothing is recorded. */
  readonly takeLease?: (recorded: SessionLease | undefined) => SessionLease;
}

/** Events and variables that are written together or not at all. An event that ends a call becomes its receipt. */
export interface Entry {
  readonly events: readonly SessionEvent[];
  readonly variables?: readonly VariableWrite[];
  /** Claims something: the entry is written only if all of these have these values at that moment. */
  readonly requires?: readonly VariableWrite[];
  /** The number of the writer's lease: the entry is written only if the session has no newer one at that moment. */
  readonly fence?: number;
}

export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Another process holds the store; it can be tried again. */
export class StoreBusy extends StoreError {}

/** Another process owns the session by now, and nothing was written. */
export class OwnershipLost extends StoreError {}

/** Another process was faster: what an entry requires is no longer so, and nothing of it was written. */
export class ClaimLost extends StoreError {}

export interface VariableWrite {
  readonly scope: string;
  readonly name: string;
  /** `undefined`: there is none. */
  readonly value: unknown;
}

/** Records about a log beside its rows, by which a changed or shortened log is noticed. */
export interface LogClaims {
  /** The sequence number of the last row that is stored. */
  readonly lastSequence: number;
  /** The newest receipt. */
  readonly end?: LogAnchor & { readonly receipts: number; readonly at: string };
  /** The store has recorded an end that cannot be read. */
  readonly isEndDamaged?: true;
  /** For a log that was begun before all events were linked. */
  readonly former?: FormerEnd;
  /** The end as it was recorded outside of the store not long ago; null if that cannot be read. */
  readonly anchor?: LogAnchor | null | undefined;
  /** The last events may not be linked yet. */
  readonly isOpenEnded?: true;
}

export interface LogAnchor {
  readonly sequence: number;
  readonly hash: string;
}

export interface ReceiptQuery {
  readonly sessionId?: string;
  readonly callId?: string;
  readonly limit?: number;
}

export const receiptQueryKeys = knownKeys<ReceiptQuery>({ sessionId: value, callId: value, limit: value });

export type ExportedSession = Pick<
  SessionRecord,
  "id" | "taskId" | "workspace" | "createdAt" | "openedAt" | "closedAt" | "dialect"
>;

export interface ImportedLog {
  /** Fails if its chain does not hold. */
  readonly rows: AsyncIterable<LogRow>;
  readonly claims: LogClaims;
  /** The variables kept beside the log, known when all rows are read. */
  variables(): readonly VariableWrite[];
}

interface ForeignWrites {
  /** Changes when another process has written. */
  readCount(): Promise<number>;
  /** By id: the end of the log of each session that is open, or was closed since then. */
  readEnds(since: Date): Promise<ReadonlyMap<string, number>>;
}

/** Work on whole sessions, and on the database. */
export interface StoreMaintenance {
  /** Removes a session. False if it was opened since it was listed. Its log takes room until `eraseRemoved`. */
  removeSession(session: SessionRecord): Promise<boolean>;
  /** Sessions that were removed and not erased yet, such as by a process that was killed in between. */
  listRemoved(): Promise<readonly string[]>;
  /** Erases the logs of removed sessions, and of imports that were killed, with breaks in which others can write. */
  eraseRemoved(): Promise<void>;
  /** About how many bytes a session's log takes. */
  measureLog(sessionId: string): Promise<number>;
  /**
   * Adds a session with its log, all or nothing, with breaks in which others can write. Throws if there is one with that
   * id.
   */
  importSession(session: ExportedSession, log: ImportedLog): Promise<void>;
  /** Gives the space of removed rows back to the disk, if it is much. No process can write meanwhile. */
  compact(): Promise<void>;
  /** Resolves when something could be written, and writes nothing. */
  probe(): Promise<void>;
  /** Finds damage of the database itself, not of the records in it; a few examples. Reads all of it. */
  findDamage(): Promise<readonly string[]>;
  /** Copies everything to a file, as it is at one moment. Left out where nothing outlives the process. */
  backUp?(file: string): Promise<void>;
  /** Removes what processes that have died have left of such copies. */
  removeDrafts?(): Promise<void>;
}

/** The logs as they are stored, to verify, show and export them, damaged ones too. */
export interface RawLogs {
  /** Every session of which anything is stored. One whose record was removed is named by its number. */
  list(): Promise<readonly string[]>;
  /** In the order of the log, after a sequence number. */
  readRows(sessionId: string, page: { since: number; limit: number }): Promise<readonly LogRow[]>;
  readClaims(sessionId: string): Promise<LogClaims>;
}

/** Stores everything that outlives the process: one log per session, in which each event is linked to the one before. */
export interface Store {
  /** Creates the session or opens it again. */
  openSession(session: OpenedRecord): Promise<SessionRecord & { resumed: boolean }>;
  closeSession(id: string): Promise<void>;
  listSessions(): Promise<readonly SessionRecord[]>;
  /**
   * Resolves when the entry is as durable as this store can make it, with the receipt if a call has ended. A session
   * that was never opened is recorded with its first entry.
   */
  append(sessionId: string, entry: Entry): MaybePromise<Receipt | undefined>;
  readEvents(
    sessionId: string,
    query: { since: number; limit: number; channels?: readonly Channel[] | undefined },
  ): Promise<readonly LoggedEvent[]>;
  /** Reads receipts, newest first. A receipt that cannot be read is left out, and `onDamage` is told its place. */
  readReceipts(query: ReceiptQuery, onDamage?: (place: string) => void): Promise<readonly Receipt[]>;
  readLastSequence(sessionId: string): Promise<number>;
  /** Reads the variables of a scope. A variable that cannot be read is left out, and `onDamage` is told its name. */
  readVariables(scope: string, onDamage?: (name: string) => void): Promise<Map<string, unknown>>;
  /** Lists the scopes that begin with a text and have variables. */
  listScopes(prefix: string): Promise<readonly string[]>;
  /**
   * Whether the session still has the lease of this number. Told at once, without waiting for writes under way, so
   * that nothing can happen between the answer and what depends on it. Throws `StoreBusy` if it cannot be told now.
   */
  isOwnedBy(sessionId: string, fence: number): boolean;
  /** Undefined if no process has ever owned the session. */
  readLease(sessionId: string): Promise<SessionLease | undefined>;
  /** How many entries this process has written since the store was opened, and how many could not be written. */
  readonly appends: { readonly written: number; readonly failed: number };
  /** Calls back after each append by this process to the session; appends of other processes must be polled for. */
  onAppend(sessionId: string, listener: () => void): () => void;
  /** Calls back after each append by this process to any session. */
  onAnyAppend(listener: (sessionId: string) => void): () => void;
  readonly rawLogs: RawLogs;
  readonly maintenance: StoreMaintenance;
  /** Which of the processes that use this store are alive. */
  readonly lives: Omit<ProcessLives, "close">;
  /** Tells of the writes of other processes. Left out where no other process can write. */
  readonly foreign?: ForeignWrites | undefined;
  /** Other processes may write to it too. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

/**
 * Whether a text can be a session's id. It may not be a path, because folders of outputs and jobs have the id as their
 * name.
 */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(id);
}

export function describeSessionIdRule(received: string): string {
  return `a session's id must be 1 to 128 letters, digits, ".", "_" or "-"; received ${JSON.stringify(received)}`;
}

/** Writes an entry if its requirements still hold. False if another process was faster. */
export async function claim(
  store: Pick<Store, "append">,
  sessionId: string,
  entry: Partial<Entry>,
): Promise<boolean> {
  try {
    await store.append(sessionId, { events: [], ...entry });
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    throw error;
  }
}
