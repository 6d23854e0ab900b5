/** How long each of this many ticks of 10 ms really took. */
export async function measureTicks(count: number): Promise<number[]> {
  const gaps: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    gaps.push(now - lastMs);
    lastMs = now;
    if (gaps.length === count) resolve();
  }, 10);
  await promise;
  clearInterval(timer);
  return gaps;
}
