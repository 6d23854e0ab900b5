/** Lets a moment pass, so that what is killed or stopped then is met at any instant of its work. Not for waiting. */
export async function pass(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) await new Promise(setImmediate);
}
