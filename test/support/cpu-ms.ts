import { existsSync, readFileSync } from "node:fs";

/**
 * The processor time that work takes. Time by the clock would grow with whatever else keeps the machine busy, and say
 * nothing of the work.
 */
export function cpuMs(work: () => void): number {
  const started = spentCpuMs();
  work();
  return spentCpuMs() - started;
}

export async function awaitedCpuMs(work: () => Promise<void>): Promise<number> {
  const started = spentCpuMs();
  await work();
  return spentCpuMs() - started;
}

/** Of this thread: compiling and collecting garbage beside it hold up nobody. */
export function spentCpuMs(): number {
  // Node 22 knows only the whole process, but Linux tells.
  if (typeof process.threadCpuUsage !== "function" && existsSync(ownTimes))
    return Number.parseInt(readFileSync(ownTimes, "latin1"), 10) / 1e6;
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

/** Begins with the nanoseconds that the thread which reads it has spent. */
const ownTimes = "/proc/thread-self/schedstat";
