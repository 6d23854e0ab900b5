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

/** Of this thread: compiling and collecting garbage beside it hold up nobody. Older Node knows only the whole process. */
export function spentCpuMs(): number {
  const { user, system } =
    typeof process.threadCpuUsage === "function" ? process.threadCpuUsage() : process.cpuUsage();
  return (user + system) / 1000;
}
