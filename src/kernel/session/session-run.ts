import { sha256 } from "../../shared/crypto.ts";
import { isPlainObject } from "../../shared/json.ts";
import { newId } from "../../shared/new-id.ts";
import { defined } from "../../shared/options/defined.ts";
import type { ErrorCode } from "../../tool/tool-error.ts";
import {
  type CallEndEvent,
  type FileChange,
  type LoggedEvent,
  type LoggedEventOf,
  type ReceiptBody,
  type SessionEvent,
  type StopCode,
  turnedBy,
  turningCalls,
} from "../events/index.ts";
import { noEffects } from "../policy/index.ts";
import {
  claim,
  type Entry,
  findKeptOwners,
  isAliveIn,
  type KeptKind,
  keptIn,
  keptPlace,
  ownLifeIn,
  type ProcessLife,
  type Store,
  type VariableWrite,
} from "../store/index.ts";
import { readLog } from "./event-stream.ts";
import { openKept } from "./kept/kept.ts";
import type { SessionLog } from "./session-log.ts";
import { turnedCalls } from "./session-variables.ts";

/** One process's use of a session, from opening to closing it. */
export type SessionRun = Awaited<ReturnType<typeof beginRun>>;

/** Begins a run, and seals what runs have left unfinished whose process has died, or has lost the session. */
export async function beginRun(
  store: Store,
  sessionId: string,
  { log, findEvidence }: { log: SessionLog; findEvidence?: FindEvidence | undefined },
) {
  const runs = openKept({ store, log }, sessionId)(runRecords);
  const since = await store.readLastSequence(sessionId);
  const lostRuns = [
    ...(await sealLostRuns(store, sessionId, findEvidence)),
    ...(await sealDamagedRuns(store, sessionId, { log, findEvidence })),
  ];
  const id = newId("run");
  const record = { ...(await ownLifeIn(store)), since };
  runs.set(id, record);
  return {
    id,
    /** Ids of runs whose process died before it closed the session. */
    lostRuns,
    /** Records that the run ended properly. */
    end() {
      // Another process has to write the end of a call whose end could not be written.
      runs.set(id, log.hasLostEnd() ? { ...record, isOver: true } : undefined);
    },
  };
}

/** The known facts about a call whose process has died. */
interface CallEvidence {
  /** The changes that the call has made; paths as its receipt names them. */
  readonly changes: readonly FileChange[];
  /** The call was found half done, and its changes were taken back. */
  readonly isTakenBack: boolean;
  /** Name of a record to undo it with. */
  readonly undo?: string;
}

export type FindEvidence = (call: {
  readonly callId: string;
  readonly sessionId: string;
  readonly tool: string;
}) => Promise<CallEvidence | undefined>;

/** The sessions with a run that has not ended properly, or not yet. */
export async function findOpenRuns(store: Pick<Store, "listScopes">): Promise<readonly string[]> {
  return findKeptOwners(store, runRecords);
}

/**
 * Seals the unfinished calls of runs whose process has died, or has lost the session and can no longer write, with a
 * receipt that says so. Of several processes that find a lost run, one seals it. Returns the runs that this one has sealed.
 */
export async function sealLostRuns(store: Store, sessionId: string, findEvidence = noEvidence) {
  const kept = keptIn(store, runRecords, sessionId);
  const lostRuns: string[] = [];
  const runs = await kept.list();
  // Read after the runs: a process has the lease before it records a run.
  const lease = runs.size === 0 ? undefined : await store.readLease(sessionId);
  for (const [runId, run] of runs) {
    if (run === "damaged") continue;
    const isReplaced = lease !== undefined && run.life !== undefined && lease.owner?.life !== run.life;
    if (!isReplaced && run.isOver !== true && (await isAliveIn(store, run))) continue;
    const seal = await sealRun(store, sessionId, { runId, since: run.since, findEvidence });
    if (seal === "later") continue;
    const isSealed = await claim(store, sessionId, { ...seal, requires: [kept.write(runId, run)] });
    if (isSealed) lostRuns.push(runId);
  }
  return lostRuns;
}

/**
 * Damaged runs do not tell their process. Only the owner of the session can have a live one, so the others are sealed.
 */
async function sealDamagedRuns(
  store: Store,
  sessionId: string,
  { log, findEvidence = noEvidence }: { log: SessionLog; findEvidence?: FindEvidence | undefined },
): Promise<readonly string[]> {
  const damaged = await keptIn(store, runRecords, sessionId).listDamaged();
  for (const runId of damaged) {
    const seal = await sealRun(store, sessionId, { runId, since: 0, findEvidence });
    if (seal !== "later") await log.commit(seal);
  }
  return damaged;
}

const noEvidence: FindEvidence = async () => undefined;

interface RunRecord extends ProcessLife {
  readonly since: number;
  /** The session was closed, but not every call has its end. */
  readonly isOver?: boolean;
}

function isRun(value: unknown): value is RunRecord {
  return isPlainObject(value) && typeof value.pid === "number" && typeof value.since === "number";
}

/** The runs of a session, by their ids. */
export const runRecords: KeptKind<RunRecord | "damaged"> = {
  scope: "runs",
  isValue: isRun,
  instead: () => "damaged",
  holdsSession: () => true,
};

/** Lives of processes with a run that has not ended. */
export async function findOpenLives(store: Store): Promise<ReadonlySet<string>> {
  const lives = new Set<string>();
  for (const sessionId of await findOpenRuns(store)) {
    for (const run of (await keptIn(store, runRecords, sessionId).list()).values())
      if (run !== "damaged" && run.life !== undefined) lives.add(run.life);
  }
  return lives;
}

type CallStart = LoggedEventOf<"call-start">;
type ApprovalRequest = LoggedEventOf<"approval-request">;

/** A call without an end, and the approval that it waited for. */
interface LostCall {
  readonly start?: CallStart;
  readonly request?: ApprovalRequest;
  readonly isDecided?: boolean;
  /** The code of the event that had told the call to stop. */
  readonly stop?: StopCode;
}

async function findLostCalls(
  store: Store,
  sessionId: string,
  { runId, since }: { runId: string; since: number },
): Promise<readonly LostCall[]> {
  const open = new Map<string, LostCall>();
  for await (const event of readLog(store, sessionId, since, ["progress", "control"]))
    note(open, event, runId);
  return [...open.values()].filter(({ start, request }) => start ?? request);
}

function note(open: Map<string, LostCall>, event: LoggedEvent, runId: string): void {
  if (event.type === "call-end") open.delete(event.callId);
  if (event.type === "approval-decision")
    open.set(event.callId, { ...open.get(event.callId), isDecided: true });
  if (event.type === "call-stop" && open.has(event.callId)) {
    // The code may be damaged.
    const stop = event.code === "timed-out" ? event.code : "cancelled";
    open.set(event.callId, { ...open.get(event.callId), stop });
  }
  const isBegin = event.type === "call-start" || event.type === "approval-request";
  // A damaged record cannot be sealed, and must not keep the session from being opened.
  if (!isBegin || event.run !== runId || typeof event.callId !== "string") return;
  const known = open.get(event.callId);
  if (event.type === "call-start") open.set(event.callId, { ...known, start: event });
  else open.set(event.callId, { ...known, request: event, isDecided: false });
}

/** Ends the calls of a run. Those that cannot be sealed now, such as while the disk is full, are left for the next process. */
async function sealRun(
  store: Store,
  sessionId: string,
  { findEvidence, ...run }: { runId: string; since: number; findEvidence: FindEvidence },
): Promise<Seal | "later"> {
  const lost = await findLostCalls(store, sessionId, run);
  try {
    const seals: Seal[] = [];
    for (const call of lost) seals.push(await sealOf(call, findEvidence));
    const record = keptPlace(runRecords, sessionId).write(run.runId);
    return {
      events: seals.flatMap(({ events }) => events),
      variables: [record, ...seals.flatMap(({ variables }) => variables)],
    };
  } catch {
    return "later";
  }
}

/** The events and variables that end lost calls, or a run. */
type Seal = Required<Pick<Entry, "events" | "variables">>;

async function sealOf(call: LostCall, findEvidence: FindEvidence): Promise<Seal> {
  const { start, request, stop, isDecided = false } = call;
  const events: SessionEvent[] = request === undefined || isDecided ? [] : [withdrawalOf(request)];
  if (start === undefined) {
    if (request !== undefined) events.push(endOfWaiting(request));
    return { events, variables: [] };
  }
  const { callId, sessionId, tool } = start;
  const evidence = await findEvidence({ callId, sessionId, tool });
  events.push(endOfRunning(start, evidence, stop));
  return { events, variables: turnOf(start, evidence) };
}

function endOfRunning(start: CallStart, evidence?: CallEvidence, stop?: StopCode): CallEndEvent {
  const was = stop === undefined ? "was running" : `${whyStopped[stop]}, and was still running`;
  const { changes = [], undo } = evidence ?? {};
  return endOf(start, `${was} when its process ended; ${outcomeOf(evidence)}`, {
    effects: { ...noEffects, writes: changes.map(({ path }) => path) },
    status: "sealed",
    code: stop ?? "unknown-outcome",
    ...defined({ changes: changes.length > 0 ? changes : undefined, undo }),
  });
}

const whyStopped: Readonly<Record<StopCode, string>> = {
  "timed-out": "had timed out",
  cancelled: "had been cancelled",
};

function outcomeOf(evidence: CallEvidence | undefined): string {
  const changed = evidence?.changes.map(({ path }) => path) ?? [];
  if (changed.length > 0) {
    const more = changed.length - maxNamed;
    const names = [...changed.slice(0, maxNamed), ...(more > 0 ? [`${more} more`] : [])].join(", ");
    return `it had changed ${names}, and what else it did is unknown`;
  }
  if (evidence?.isTakenBack) return "what it had changed so far was taken back";
  return "its outcome is unknown";
}

const maxNamed = 5;

/** The end of a call that waited for approval when its process ended, so nothing of it ran. */
function endOfWaiting(request: ApprovalRequest): CallEndEvent {
  const about = { effects: noEffects, status: "cancelled", code: "cancelled" } as const;
  return endOf(request, "was not run: its process ended before it could begin", about);
}

/** The end of a call, with the tool's name before the words about what happened to it. */
function endOf(
  event: CallStart | ApprovalRequest,
  words: string,
  about: Pick<ReceiptBody, "effects" | "status" | "changes" | "undo"> & { readonly code: ErrorCode },
): CallEndEvent {
  const { callId, sessionId, tool, calledAs, toolVersion, input, inputHash = "", caller, at } = event;
  const text = `${calledAs ?? tool} ${words}`;
  const receipt = {
    ...{ callId, sessionId, startedAt: at, durationMs: 0, tool, input, inputHash },
    caller: caller ?? unknownCaller,
    ...defined({ calledAs, toolVersion }),
    ...about,
    resultHash: sha256(text),
  };
  return { type: "call-end", callId, receipt, text, error: { code: about.code, message: text } };
}

function withdrawalOf({ callId, approvalId }: ApprovalRequest): SessionEvent {
  return { type: "approval-decision", callId, approvalId, decision: "withdrawn", decidedBy: "process end" };
}

// Stands for the caller of a request that an older version has recorded.
const unknownCaller = { kind: "code", name: "unknown" } as const;

/** An undo, redo or rewind that restored files before its process ended counts, so that the other can follow. */
function turnOf({ callId, sessionId, tool, input }: CallStart, evidence?: CallEvidence): VariableWrite[] {
  if (!turningCalls.includes(tool) || !isPlainObject(input) || !evidence?.changes.length) return [];
  return turnedBy(input).map((name) => keptPlace(turnedCalls, sessionId).write(name, callId));
}
