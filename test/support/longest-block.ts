/**
 * For how long, at most, work kept everybody else in this thread waiting, in milliseconds of its processor time: by the
 * clock, whatever else the machine is busy with would count too.
 */
export async function longestBlockMs(work: () => unknown): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  const tick = () => {
    look();
    next = setImmediate(tick);
  };
  let next = setImmediate(tick);
  try {
    await work();
  } finally {
    clearImmediate(next);
  }
  look();
  return longest;
}
