/** Runs the work once; returns its duration and its result. */
export async function timeOnce(work) {
  const startedAt = performance.now();
  const result = await work();
  return { elapsedMs: performance.now() - startedAt, result };
}
