import { isPlainObject } from "../../shared/json.ts";
import { newId } from "../../shared/new-id.ts";
import { isRunning, ownIdentity } from "../../shared/process-identity.ts";
import { sha256 } from "../../shared/sha256.ts";
import type { CallEndEvent, LoggedEventOf } from "../events/session-event.ts";
import { noEffects } from "../policy/verdict.ts";
import type { Store, VariableWrite } from "../store/store.ts";
import type { SessionLog } from "./session-log.ts";

/** One process's use of a session, from opening to closing it. */
export interface SessionRun {
  readonly id: string;
  /** Ids of runs whose process died before it closed the session. */
  readonly lostRuns: readonly string[];
  /** Records that the run ended properly. */
  end(): void;
}

/**
 * Begins a run and looks for runs whose process has died: their unfinished calls are sealed with a receipt that says so,
 * and never run again by themselves.
 */
export async function beginRun(store: Store, sessionId: string, log: SessionLog): Promise<SessionRun> {
  const scope = `runs:${sessionId}`;
  const note = (name: string, value: VariableWrite["value"]) => log.noteVariable({ scope, name, value });
  const since = await store.readLastSequence(sessionId);
  const lostRuns: string[] = [];
  for (const [runId, run] of await store.readVariables(scope)) {
    if (!isRun(run) || (await isRunning(run))) continue;
    for (const start of await findLostCalls(store, sessionId, { runId, since: run.since })) {
      await log.finish(sealOf(start));
    }
    note(runId, undefined);
    lostRuns.push(runId);
  }
  const id = newId("run");
  note(id, { ...(await ownIdentity()), since });
  return { id, lostRuns, end: () => note(id, undefined) };
}

function isRun(value: unknown): value is { pid: number; startedAt: string; since: number } {
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
      if (event.type === "call-start" && event.run === runId) open.set(event.callId, event);
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
