import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "../../tool/tool-error.ts";
import type { KernelLock } from "./kernel-lock.ts";
import { findLockHolder } from "./lock-holder.ts";

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
