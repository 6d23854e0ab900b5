import { isoTime } from "../../../../shared/iso-time.ts";
import { maxDelayMs } from "../../../../shared/max-delay-ms.ts";
import type { ProcessIdentity } from "../../../../shared/process-identity.ts";
import type { CommandEnd, RunningCommand } from "../command/running-command.ts";
import { isTerminal } from "../pty/pty-command.ts";
import type { JobEnd } from "./job-record.ts";

export type StopReason = "killed" | "timed-out";

/** The process behind a job, whoever looks after it. */
export interface JobProcess {
  readonly identity: ProcessIdentity;
  /** Never rejects. */
  readonly ended: Promise<JobEnd>;
  /** Ends it and everything it started; resolves when all of it is gone. */
  stop(reason: StopReason): Promise<void>;
  /** It is going to be ended from elsewhere, for this reason. */
  expectEnd?(reason: StopReason): void;
  /** It has ended, and left something running. */
  hasLeftovers?(): boolean;
  /** Only where it has a terminal. */
  write?(text: string): void;
  onWaiting?(listener: (isWaiting: boolean) => void): void;
}

/** A command that this process looks after itself. */
export function controlCommand(
  running: RunningCommand,
  { timeoutMs }: { timeoutMs?: number | undefined },
): JobProcess {
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
  const note = end.leftOpen ? "processes it started lived on after it" : undefined;
  return {
    state: stopped ?? (exitCode === 0 ? "done" : "failed"),
    exitCode,
    signal,
    endedAt: isoTime(),
    ...(note !== undefined && { note }),
  };
}
