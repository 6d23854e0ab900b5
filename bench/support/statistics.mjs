/** The best of several rounds is the least disturbed one; the median is what to expect. */
export function summarize(samples) {
  const sorted = samples.toSorted((left, right) => left - right);
  return { best: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
}
