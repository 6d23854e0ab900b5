import { sha256 } from "../../shared/sha256.ts";
import { chainStart, type Receipt, type ReceiptBody } from "../events/receipt.ts";
import { channelOf } from "../events/session-event.ts";
import type { SqlDriver, SqlTransaction } from "./sql-driver.ts";
import type { Entry, Head, Store } from "./store.ts";

export interface LogWriter {
  append: Store["append"];
  onAppend: Store["onAppend"];
  /** Everything appended so far is in the database when this returns. */
  flush(): Promise<void>;
}

/** An entry on its way into the database. Its place in the log is given when nobody else can take it. */
interface Job {
  readonly sessionId: string;
  readonly entry: Entry;
  readonly at: string;
  placed?: PlacedEntry;
}

interface PlacedEntry {
  readonly firstSequence: number;
  readonly receipt?: { readonly body: string; readonly linked: Receipt };
}

const emptyHead: Head = { lastSequence: 0, receiptCount: 0, receiptHash: chainStart };
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

  const flush = (): Promise<void> => {
    if (waiting.length === 0) return running.catch(() => {});
    scheduled ??= running
      .catch(() => {})
      .then(() => {
        scheduled = undefined;
        return writeWaiting();
      });
    running = scheduled;
    return scheduled;
  };

  const flushSoon = () =>
    setImmediate(() =>
      flush().catch((error: unknown) => {
        failure = error;
      }),
    );

  const writeWaiting = async (): Promise<void> => {
    const jobs = waiting;
    waiting = [];
    if (jobs.length === 0) return;
    await driver.transaction(async (transaction) => {
      const touched = new Map<string, Head>();
      for (const job of jobs) {
        if (driver.isPrivate) touched.set(job.sessionId, heads.get(job.sessionId)!);
        else {
          const head = touched.get(job.sessionId) ?? (await readHead(transaction, job.sessionId));
          touched.set(job.sessionId, place(job, head));
        }
        await insert(transaction, job);
      }
      for (const [sessionId, head] of touched) await writeHead(transaction, sessionId, head);
    });
    for (const sessionId of new Set(jobs.map((job) => job.sessionId))) tell(sessionId);
  };

  const tell = (sessionId: string) => {
    for (const listener of listeners.get(sessionId) ?? []) listener();
  };

  return {
    flush,

    async append(sessionId, entry) {
      if (failure !== undefined) throw failure;
      const job: Job = { sessionId, entry, at: new Date().toISOString() };
      waiting.push(job);
      if (!driver.isPrivate) await flush();
      else {
        heads.set(sessionId, place(job, heads.get(sessionId) ?? emptyHead));
        if (waiting.length >= maxWaitingJobs) await flush();
        else if (waiting.length === 1) flushSoon();
      }
      return job.placed?.receipt?.linked;
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

/** Gives the entry its sequence numbers and links its receipt to the one before. Returns the new head. */
function place(job: Job, head: Head): Head {
  const { events, receipt } = job.entry;
  const lastSequence = head.lastSequence + events.length;
  if (receipt === undefined) {
    job.placed = { firstSequence: head.lastSequence + 1 };
    return { ...head, lastSequence };
  }
  const body = JSON.stringify(receipt);
  const linked = link(receipt, body, head);
  job.placed = { firstSequence: head.lastSequence + 1, receipt: { body, linked } };
  return { lastSequence, receiptCount: linked.position, receiptHash: linked.hash };
}

function link(receipt: ReceiptBody, body: string, head: Head): Receipt {
  const previousHash = head.receiptHash;
  return { ...receipt, position: head.receiptCount + 1, previousHash, hash: chainHash(previousHash, body) };
}

/** What a receipt's hash is made of; `log --verify` makes it again. */
export function chainHash(previousHash: string, body: string): string {
  return sha256(`${previousHash}\n${body}`);
}

async function insert(transaction: SqlTransaction, { sessionId, entry, at, placed }: Job): Promise<void> {
  let sequence = placed!.firstSequence;
  for (const event of entry.events) {
    await transaction.run("INSERT INTO events VALUES (?, ?, ?, ?, ?)", [
      sessionId,
      sequence++,
      at,
      channelOf(event),
      JSON.stringify(event),
    ]);
  }
  if (placed!.receipt !== undefined) {
    const { body, linked } = placed!.receipt;
    await transaction.run("INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?)", [
      sessionId,
      linked.position,
      linked.callId,
      linked.startedAt,
      body,
      linked.previousHash,
      linked.hash,
    ]);
  }
  for (const { scope, name, value } of entry.variables ?? []) {
    if (value === undefined)
      await transaction.run("DELETE FROM variables WHERE scope = ? AND name = ?", [scope, name]);
    else await transaction.run(upsertVariable, [scope, name, JSON.stringify(value)]);
  }
}

const upsertVariable = `INSERT INTO variables VALUES (?, ?, ?)
  ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value`;

async function readHead(transaction: SqlTransaction, sessionId: string): Promise<Head> {
  const [row] = await transaction.query("SELECT * FROM heads WHERE session_id = ?", [sessionId]);
  if (row === undefined) return emptyHead;
  return {
    lastSequence: Number(row.last_sequence),
    receiptCount: Number(row.receipt_count),
    receiptHash: String(row.receipt_hash),
  };
}

const upsertHead = `INSERT INTO heads VALUES (?, ?, ?, ?) ON CONFLICT (session_id) DO UPDATE SET
  last_sequence = excluded.last_sequence, receipt_count = excluded.receipt_count, receipt_hash = excluded.receipt_hash`;

async function writeHead(transaction: SqlTransaction, sessionId: string, head: Head): Promise<void> {
  await transaction.run(upsertHead, [sessionId, head.lastSequence, head.receiptCount, head.receiptHash]);
}
