import { isoTime } from "../../shared/iso-time.ts";
import { sha256 } from "../../shared/sha256.ts";
import { chainStart, type Receipt } from "../events/receipt.ts";
import { type CallEndEvent, channelOf, type SessionEvent } from "../events/session-event.ts";
import type { SqlDriver, SqlRow, SqlStatement, SqlTransaction } from "./sql-driver.ts";
import type { ChainEnd, Entry, Store, VariableWrite } from "./store.ts";

export interface LogWriter {
  append: Store["append"];
  onAppend: Store["onAppend"];
  /** Everything appended so far is in the database, or its append has been told why not, when this returns. */
  flush(): Promise<void>;
}

/** An entry on its way into the database. Its place in the log is given when nobody else can take it. */
interface Job {
  readonly sessionId: string;
  readonly at: string;
  readonly events: readonly SessionEvent[];
  /** The events as text. Made at once, so that what is no JSON fails alone and a later change to an event is none. */
  readonly bodies: readonly string[];
  readonly variables: readonly SqlStatement[];
  statements: readonly SqlStatement[];
  receipt: Receipt | undefined;
}

/** Where a session's log and chain end. */
interface Head {
  readonly sequence: number;
  readonly chain: ChainEnd;
}

const emptyHead: Head = { sequence: 0, chain: { receipts: 0, hash: chainStart } };
// How much a private database may lag behind; it dies with the process anyway, so nothing is at risk.
const maxWaitingJobs = 128;

/** Writes entries in groups: all that have come up by the time a transaction starts share its cost. */
export function createLogWriter(driver: SqlDriver): LogWriter {
  const heads = new Map<string, Head>();
  const listeners = new Map<string, Set<() => void>>();
  let waiting: Job[] = [];
  let scheduled: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  let failure: unknown;

  const write = (): Promise<void> => {
    if (waiting.length === 0) return running;
    scheduled ??= running
      .catch(() => {})
      .then(() => {
        scheduled = undefined;
        return writeWaiting();
      });
    running = scheduled;
    return scheduled;
  };

  const writeWaiting = async (): Promise<void> => {
    const jobs = waiting;
    waiting = [];
    try {
      await driver.transaction((transaction) => writeJobs(transaction, jobs));
    } catch (error) {
      // The jobs of a private database have their places already; nothing can follow where they are missing.
      if (driver.isPrivate) failure = error;
      throw error;
    }
    for (const sessionId of new Set(jobs.map((job) => job.sessionId))) {
      for (const listener of listeners.get(sessionId) ?? []) listener();
    }
  };

  const writeJobs = async (transaction: SqlTransaction, jobs: readonly Job[]): Promise<void> => {
    const ends = driver.isPrivate ? heads : await placeAll(transaction, jobs);
    const sessions = new Set<string>();
    for (const job of jobs) {
      if (job.receipt !== undefined) sessions.add(job.sessionId);
    }
    await transaction.run([
      ...jobs.flatMap((job) => job.statements),
      ...[...sessions].map((sessionId) => chainStatement(sessionId, ends.get(sessionId)!.chain)),
    ]);
  };

  const flush = async (): Promise<void> => {
    await write().catch(() => {});
    if (failure !== undefined) throw failure;
  };

  return {
    flush,

    append(sessionId, entry) {
      if (failure !== undefined) throw failure;
      const job = toJob(sessionId, entry);
      waiting.push(job);
      if (driver.isPrivate) {
        heads.set(sessionId, place(job, heads.get(sessionId) ?? emptyHead));
        if (waiting.length === 1) setImmediate(() => write().catch(() => {}));
        if (waiting.length < maxWaitingJobs) return job.receipt;
      }
      return write().then(() => job.receipt);
    },

    onAppend(sessionId, listener) {
      const group = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, group.add(listener));
      return () => {
        group.delete(listener);
        if (group.size === 0) listeners.delete(sessionId);
      };
    },
  };
}

function toJob(sessionId: string, { events, variables }: Entry): Job {
  return {
    sessionId,
    at: isoTime(),
    events,
    bodies: events.map((event) => JSON.stringify(event)),
    variables: variables === undefined ? noStatements : variables.map(variableStatement),
    statements: noStatements,
    receipt: undefined,
  };
}

const noStatements: readonly SqlStatement[] = [];

function variableStatement({ scope, name, value }: VariableWrite): SqlStatement {
  if (value === undefined) return { sql: deleteVariable, values: [scope, name] };
  return { sql: upsertVariable, values: [scope, name, JSON.stringify(value)] };
}

/** Places jobs behind what is in the database now; inside the transaction nobody else can come between. */
async function placeAll(
  transaction: SqlTransaction,
  jobs: readonly Job[],
): Promise<ReadonlyMap<string, Head>> {
  const heads = new Map<string, Head>();
  for (const job of jobs) {
    const head = heads.get(job.sessionId) ?? (await readHead(transaction, job.sessionId));
    heads.set(job.sessionId, place(job, head));
  }
  return heads;
}

/** Gives each event its number, links a receipt to the one before, and returns where the log ends now. */
function place(job: Job, head: Head): Head {
  const { sessionId, at, events, bodies } = job;
  let { sequence, chain } = head;
  const statements: SqlStatement[] = [];
  for (let index = 0; index < events.length; index++) {
    const event = events[index]!;
    const body = bodies[index]!;
    sequence += 1;
    const values = [sessionId, sequence, at, channelOf(event), body];
    if (event.type === "call-end") {
      const receipt = link(event, body, chain);
      const { callId, position, previousHash, hash } = receipt;
      statements.push({ sql: insertReceipt, values: [...values, callId, position, previousHash, hash] });
      chain = { receipts: position, hash };
      job.receipt = receipt;
    } else statements.push({ sql: insertEvent, values });
  }
  statements.push(...job.variables);
  job.statements = statements;
  return { sequence, chain };
}

function link({ receipt }: CallEndEvent, body: string, chain: ChainEnd): Receipt {
  return {
    ...receipt,
    position: chain.receipts + 1,
    previousHash: chain.hash,
    hash: chainHash(chain.hash, body),
  };
}

/** What a receipt's hash is made of; verifying the chain makes it again. */
export function chainHash(previousHash: string, body: string): string {
  return sha256(`${previousHash}\n${body}`);
}

const insertEvent = `INSERT INTO events (session_id, sequence, at, channel, body) VALUES (?, ?, ?, ?, ?)`;
const insertReceipt = `INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const deleteVariable = `DELETE FROM variables WHERE scope = ? AND name = ?`;
const upsertVariable = `INSERT INTO variables VALUES (?, ?, ?)
  ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value`;
const upsertChain = `INSERT INTO chains VALUES (?, ?, ?)
  ON CONFLICT (session_id) DO UPDATE SET receipts = excluded.receipts, hash = excluded.hash`;

function chainStatement(sessionId: string, { receipts, hash }: ChainEnd): SqlStatement {
  return { sql: upsertChain, values: [sessionId, receipts, hash] };
}

const selectHead = `SELECT COALESCE(MAX(sequence), 0) AS sequence,
  (SELECT receipts FROM chains WHERE session_id = ?1) AS receipts, (SELECT hash FROM chains WHERE session_id = ?1) AS hash
  FROM events WHERE session_id = ?1`;

async function readHead(transaction: SqlTransaction, sessionId: string): Promise<Head> {
  const [row] = await transaction.query(selectHead, [sessionId]);
  return { sequence: Number(row!.sequence), chain: toChainEnd(row) };
}

export function toChainEnd(row: SqlRow | undefined): ChainEnd {
  if (row?.hash === undefined || row.hash === null) return emptyHead.chain;
  return { receipts: Number(row.receipts), hash: String(row.hash) };
}
