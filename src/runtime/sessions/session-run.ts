import { isPlainObject } from "../../shared/json.ts";
import { newId } from "../../shared/new-id.ts";
import { sha256 } from "../../shared/sha256.ts";
import type { CallEndEvent, LoggedEventOf } from "../events/session-event.ts";
import { noEffects } from "../policy/verdict.ts";
import { isAliveIn, ownLifeIn, type ProcessLife } from "../store/process-life.ts";
import { ClaimLost, type SessionOwner, type Store } from "../store/store.ts";
import type { SessionLog } from "./session-log.ts";

/** One process's use of a session, from opening to closing it. */
export interface SessionRun {
  readonly id: string;
  /** Ids of runs whose process died before it closed the session. */
  readonly lostRuns: readonly string[];
  /** Records that the run ended properly. */
  end(): void;
}

/** Begins a run, and seals what runs have left unfinished whose process has died, or has lost the session to this one. */
export async function beginRun(
  store: Store,
  sessionId: string,
  { log, replaced }: { log: SessionLog; replaced?: SessionOwner | undefined },
): Promise<SessionRun> {
  const scope = scopeOf(sessionId);
  const since = await store.readLastSequence(sessionId);
  const lostRuns = await sealLostRuns(store, sessionId, replaced);
  const id = newId("run");
  log.noteVariable({ scope, name: id, value: { ...(await ownLifeIn(store)), since } });
  return { id, lostRuns, end: () => log.noteVariable({ scope, name: id, value: undefined }) };
}

/** The sessions with a run that has not ended properly, or not yet. */
export async function findOpenRuns(store: Pick<Store, "listScopes">): Promise<readonly string[]> {
  return (await store.listScopes(scopeOf(""))).map((scope) => scope.slice(scopeOf("").length));
}

/**
 * Seals the unfinished calls of runs whose process has died, with a receipt that says so: they never run again by
 * themselves. Of several processes that find a lost run, one seals it. Returns the runs that this one has sealed.
 */
export async function sealLostRuns(
  store: Store,
  sessionId: string,
  replaced?: SessionOwner,
): Promise<readonly string[]> {
  const scope = scopeOf(sessionId);
  const lostRuns: string[] = [];
  for (const [runId, run] of await store.readVariables(scope)) {
    if (!isRun(run)) continue;
    const isReplaced = replaced?.life !== undefined && run.life === replaced.life;
    if (!isReplaced && (await isAliveIn(store, run))) continue;
    const lost = await findLostCalls(store, sessionId, { runId, since: run.since });
    try {
      await store.append(sessionId, {
        events: lost.map(sealOf),
        variables: [{ scope, name: runId, value: undefined }],
        requires: [{ scope, name: runId, value: run }],
      });
      lostRuns.push(runId);
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
    }
  }
  return lostRuns;
}

function scopeOf(sessionId: string): string {
  return `runs:${sessionId}`;
}

function isRun(value: unknown): value is ProcessLife & { since: number } {
  return isPlainObject(value) && typeof value.pid === "number" && typeof value.since === "number";
}

type CallStart = LoggedEventOf<"call-start">;

const pageSize = 500;

async function findLostCalls(
  store: Store,
  sessionId: string,
  { runId, since }: { runId: string; since: number },
): Promise<readonly CallStart[]> {
  const open = new Map<string, CallStart>();
  for (let cursor = since; ; ) {
    const page = await store.readEvents(sessionId, {
      since: cursor,
      limit: pageSize,
      channels: ["progress"],
    });
    for (const event of page) {
      // One that somebody has damaged cannot be sealed, and must not keep the session from being opened.
      if (event.type === "call-start" && event.run === runId && typeof event.callId === "string")
        open.set(event.callId, event);
      if (event.type === "call-end") open.delete(event.callId);
      cursor = event.sequence;
    }
    if (page.length < pageSize) return [...open.values()];
  }
}

function sealOf(start: CallStart): CallEndEvent {
  const { callId, sessionId, tool, calledAs, input, inputHash, caller, at } = start;
  const code = "unknown-outcome";
  const message = `${calledAs ?? tool} was running when its process ended; its outcome is unknown`;
  const about = { callId, sessionId, startedAt: at, durationMs: 0, caller, tool, input, inputHash };
  const receipt = {
    ...about,
    ...(calledAs !== undefined && { calledAs }),
    effects: noEffects,
    status: "sealed",
    code,
    resultHash: sha256(message),
  } as const;
  return { type: "call-end", callId, receipt, text: message, error: { code, message } };
}
