/** Times in milliseconds as rows, each beside the candidate that does nothing but the work itself. */
export function toRows(times, { floor }) {
  return [...times].map(([name, { best, median }]) => ({
    name,
    unit: "ms",
    best,
    median,
    ratios: { [floor]: best / times.get(floor).best },
  }));
}
