import { setTimeout as pause } from "node:timers/promises";
import { isoTime } from "../../../shared/iso-time.ts";
import { settlesWithin } from "../../../shared/maybe-promise.ts";
import { isRunning, type ProcessIdentity } from "../../../shared/process-identity.ts";
import { readStatus } from "../jobs/job-folder.ts";
import { endJobTree, type JobProcess } from "../jobs/job-process.ts";
import type { JobEnd } from "../jobs/job-record.ts";

/** Follows a kept job through its supervisor, which this process started or found running. */
export function attachSupervisor(
  identity: ProcessIdentity,
  { statusFile, gone, detached }: { statusFile: string; gone?: Promise<unknown>; detached: AbortSignal },
): JobProcess {
  // Without `gone` the supervisor is not a child of this process, so its end has to be polled.
  const isGone = gone ?? untilGone(identity, detached);
  const ended = isGone.then(() => findEnd(statusFile));
  return {
    identity,
    ended,
    async stop() {
      await signalSupervisor(identity, "SIGTERM");
      if (await settlesWithin(isGone, maxStopMs)) return;
      await signalSupervisor(identity, "SIGKILL");
      await isGone;
      await ended;
    },
  };
}

// The supervisor waits five seconds after SIGTERM and two after SIGKILL.
const maxStopMs = 10_000;
const lookEveryMs = 250;

async function untilGone(identity: ProcessIdentity, detached: AbortSignal): Promise<void> {
  while (await isRunning(identity)) {
    // Polling alone must not keep this process alive.
    await pause(lookEveryMs, undefined, { ref: false });
    if (detached.aborted) return new Promise(() => {});
  }
}

/**
 * Finds how a job ended whose supervisor is gone. If the supervisor left no record, the job's remaining processes are
 * ended.
 */
export async function findEnd(statusFile: string): Promise<JobEnd> {
  const status = await readStatus(statusFile);
  if (status?.end !== undefined) return status.end;
  const lost = { exitCode: null, signal: null, endedAt: isoTime() };
  if (status?.program === undefined || !(await isRunning(status.program)))
    return { ...lost, state: "unknown" };
  await endJobTree(status.program, status.record.marker);
  return { ...lost, state: "killed", note: "its supervisor had ended" };
}

async function signalSupervisor(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  if (!(await isRunning(identity))) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // It has just ended.
  }
}
