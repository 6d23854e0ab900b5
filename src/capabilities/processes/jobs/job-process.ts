import { endLeftovers, endProcessTree } from "../../../machine/child/index.ts";
import { describePlanted } from "../../../machine/sandbox/index.ts";
import { maxDelayMs } from "../../../shared/deadline.ts";
import { isoTime } from "../../../shared/iso-time.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { ProcessIdentity } from "../../../shared/process-identity.ts";
import type { CommandEnd, RunningCommand } from "../command/running-command.ts";
import { isTerminal } from "../pty/pty-command.ts";
import type { JobEnd } from "./job-record.ts";

export type StopReason = "killed" | "timed-out";

/** The process behind a job, run by this process or by a supervisor. */
export interface JobProcess {
  readonly identity: ProcessIdentity;
  /** Never rejects. */
  readonly ended: Promise<JobEnd>;
  /** Ends the job and everything it started; resolves when all of it is gone. */
  stop(reason: StopReason): Promise<void>;
  /** Announces that the job is about to be ended from elsewhere, for this reason. */
  expectEnd?(reason: StopReason): void;
  /** Whether it has ended but left processes running. */
  hasLeftovers?(): boolean;
  /** Only for a job with a terminal. */
  write?(text: string): void;
  onWaiting?(listener: (isWaiting: boolean) => void): void;
}

/** A job whose command runs in this process. */
export function controlCommand(running: RunningCommand, timeoutMs?: number): JobProcess {
  let stopped: StopReason | undefined;
  let hasEnded = false;
  let isLeftOpen = false;
  const expectEnd = (reason: StopReason) => {
    if (!hasEnded) stopped ??= reason;
  };
  const stop = (reason: StopReason) => {
    expectEnd(reason);
    return running.stop();
  };
  const timer = startTimer(timeoutMs, () => stop("timed-out"));
  const ended = running.ended.then((end) => {
    hasEnded = true;
    isLeftOpen = end.leftOpen;
    clearTimeout(timer);
    return describeEnd(end, stopped);
  });
  const held = { identity: running.identity, ended, stop, expectEnd, hasLeftovers: () => isLeftOpen };
  return isTerminal(running) ? { ...held, write: running.write, onWaiting: running.onWaiting } : held;
}

export function startTimer(timeoutMs: number | undefined, onTime: () => unknown): NodeJS.Timeout | undefined {
  if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return undefined;
  return setTimeout(onTime, Math.min(timeoutMs, maxDelayMs));
}

export function describeEnd(end: CommandEnd, stopped: StopReason | undefined): JobEnd {
  const { exitCode, signal } = end;
  const notes = [
    ...(end.leftOpen ? ["processes it started outlived it"] : []),
    ...(end.planted.length > 0 ? [`it made or changed ${end.planted.map(describePlanted).join(", ")}`] : []),
  ];
  return {
    state: stopped ?? (exitCode === 0 ? "done" : "failed"),
    exitCode,
    signal,
    endedAt: isoTime(),
    ...defined({ note: notes.length > 0 ? notes.join("; ") : undefined }),
  };
}

/** Ends the rest of a job that another process started: first its process tree, then everything with its marker. */
export async function endJobTree(leader: ProcessIdentity, marker: string | undefined): Promise<void> {
  // A pid without a start time may be anybody's. Without a marker, "\0" matches no process (no variable contains a NUL),
  // so only descendants of the leader are ended.
  if (leader.startedAt !== "") await endProcessTree({ leader, marker: marker ?? "\0" });
  if (marker !== undefined) await endLeftovers(marker);
}
