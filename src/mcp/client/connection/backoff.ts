/** How long to wait before the next attempt: twice as long each time, up to a minute, and never quite as long as others. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const longest = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.round(longest * (0.5 + random() / 2));
}

/** After so many in a row, a server is left alone until somebody asks for it. */
export const maxFailures = 10;

const firstMs = 500;
const maxMs = 60_000;
