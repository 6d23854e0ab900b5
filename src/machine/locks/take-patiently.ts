import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "../../tool/tool-error.ts";
import { readFileNow, statNow } from "./files-now.ts";
import type { KernelLock } from "./kernel-lock.ts";

/** Takes a lock that another process may have for a while; fails if it takes longer. */
export async function takePatiently(lock: KernelLock, patienceMs: number): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (!lock.take()) {
    if (performance.now() >= giveUpAt) throw lockBusy(lock.file, patienceMs);
    // Jitter keeps two waiting processes from retrying in step.
    await delay(Math.random() * 20);
  }
}

export function lockBusy(file: string, patienceMs: number): ToolError {
  const pid = findLockHolder(file);
  const who = pid === undefined ? "another process" : `process ${pid}`;
  return new ToolError("unavailable", `${who} has held ${file} for more than ${patienceMs / 1000} s`, {
    hint: "If it is suspended, resume it or end it; then try again.",
    retryable: true,
  });
}

/**
 * The process that keeps others from a file, or from one byte of it. Only Linux tells who holds a lock, and not if that is a
 * process of another container.
 */
export function findLockHolder(file: string, byte?: number): number | undefined {
  try {
    const { ino } = statNow(file);
    for (const line of readFileNow("/proc/locks", "utf8").split("\n")) {
      const [, , , kind, pid, place = "", first, last] = line.trim().split(/\s+/);
      if (kind !== "WRITE" || !place.endsWith(`:${ino}`) || Number(pid) <= 0) continue;
      if (byte === undefined || (Number(first) <= byte && (last === "EOF" || byte <= Number(last))))
        return Number(pid);
    }
  } catch {
    // There is no such list, or no such file.
  }
  return undefined;
}
