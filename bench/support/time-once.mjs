/** How long the work takes the one time it is done, and what it gives. */
export async function timeOnce(work) {
  const startedAt = performance.now();
  const result = await work();
  return { elapsedMs: performance.now() - startedAt, result };
}
