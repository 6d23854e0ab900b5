/** Rows of times in milliseconds, each compared with the baseline. */
export function toRows(times, { floor }) {
  return [...times].map(([name, { best, median }]) => ({
    name,
    unit: "ms",
    best,
    median,
    ratios: { [floor]: best / times.get(floor).best },
  }));
}
