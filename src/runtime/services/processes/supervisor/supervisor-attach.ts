import { setTimeout as pause } from "node:timers/promises";
import { isoTime } from "../../../../shared/iso-time.ts";
import { isRunning, type ProcessIdentity } from "../../../../shared/process-identity.ts";
import type { JobProcess } from "../jobs/job-process.ts";
import type { JobEnd } from "../jobs/job-record.ts";
import { readStatus } from "../jobs/job-status.ts";
import { endJobTree } from "../jobs/job-tree.ts";

/** Follows a kept job through its supervisor, whether this process started that or found it running. */
export function attachSupervisor(
  identity: ProcessIdentity,
  { statusFile, gone, detached }: { statusFile: string; gone?: Promise<unknown>; detached: AbortSignal },
): JobProcess {
  // Nobody is told of the end of a process that is not a child.
  const isGone = gone ?? untilGone(identity, detached);
  const ended = isGone.then(() => findEnd(statusFile));
  return {
    identity,
    ended,
    async stop() {
      await signalSupervisor(identity, "SIGTERM");
      const patience = new AbortController();
      const isOver = await Promise.race([
        isGone.then(() => true),
        pause(maxStopMs, false, { signal: patience.signal }),
      ]);
      patience.abort();
      if (isOver) return;
      await signalSupervisor(identity, "SIGKILL");
      await isGone;
      await ended;
    },
  };
}

// It gives the job five seconds to end by itself and two to go by force.
const maxStopMs = 10_000;
const lookEveryMs = 250;

async function untilGone(identity: ProcessIdentity, detached: AbortSignal): Promise<void> {
  while (await isRunning(identity)) {
    // It must not keep this process alive: whoever waits for an end does that.
    await pause(lookEveryMs, undefined, { ref: false });
    if (detached.aborted) return new Promise(() => {});
  }
}

/** How a job ended whose supervisor is gone; where that left no word, whatever is left of the job is ended. */
export async function findEnd(statusFile: string): Promise<JobEnd> {
  const status = await readStatus(statusFile);
  if (status?.end !== undefined) return status.end;
  const lost = { exitCode: null, signal: null, endedAt: isoTime() };
  if (status?.program === undefined || !(await isRunning(status.program)))
    return { ...lost, state: "unknown" };
  await endJobTree(status.program, status.record.marker);
  return { ...lost, state: "killed", note: "what looked after it had ended" };
}

async function signalSupervisor(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  if (!(await isRunning(identity))) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // It ended in this very moment.
  }
}
