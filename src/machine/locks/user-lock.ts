import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "../../tool/tool-error.ts";
import { type KernelLock, lockBusy, openKernelLock } from "./kernel-lock.ts";
import { lockFolders, openLockFolder } from "./state-base.ts";

/**
 * The locks: for the last step of a change to files, for the sandbox's placeholders, and for changes to our own files.
 */
export const userLocks = ["files", "placeholders", "pins"] as const;
type UserLock = (typeof userLocks)[number];

interface LockOptions {
  readonly signal?: AbortSignal;
  /** How long to wait for another process. */
  readonly patienceMs?: number;
  /** A lock to be held as well, by those who do not share this user's folder of locks. */
  readonly also?: KernelLock | undefined;
}

/**
 * Runs `work` while no other process of this user has the same lock. The work must be short, and is not asynchronous: a
 * process that is suspended, or busy with something else, would otherwise make all others wait.
 */
export async function withUserLock<Result>(
  name: UserLock,
  work: () => Result,
  { signal, patienceMs = 10_000, also }: LockOptions = {},
): Promise<Result> {
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    const { file, release } = takeLocks(name, also);
    if (release !== undefined) {
      try {
        return work();
      } finally {
        release();
      }
    }
    if (performance.now() >= giveUpAt) throw lockBusy(file, patienceMs);
    // Jitter keeps two waiting processes from retrying in step.
    await delay(Math.random() * Math.min(20, 2 ** tries));
  }
}

// One connection per lock for the whole process: it costs a descriptor.
const opened = new Map<string, KernelLock>();

/** The file of the lock that is busy, or how to release them. */
function takeLocks(
  name: UserLock,
  also: KernelLock | undefined,
): { readonly file: string; release?: () => void } {
  try {
    const file = join(openLockFolder(), `${name}.lock`);
    const lock = opened.get(file) ?? openKernelLock(file);
    opened.set(file, lock);
    if (!lock.take()) return { file };
    let isComplete = false;
    try {
      isComplete = also === undefined || also.take();
    } finally {
      if (!isComplete) lock.release();
    }
    if (!isComplete) return { file: also!.file };
    const release = () => {
      also?.release();
      lock.release();
    };
    return { file, release };
  } catch (cause) {
    throw new ToolError("unavailable", `the lock "${name}" cannot be taken: ${(cause as Error).message}`, {
      hint: `Check that ${lockFolders()[0]} is a writable folder and that the disk is not full.`,
      retryable: true,
      cause,
    });
  }
}
