import { type FoundNames, scanNames } from "./scan-names.ts";

/** What was found beneath the roots a moment ago; looking again happens beside the commands, not before each. */
export function createNameScans(
  names: { protectedNames: readonly string[]; sensitiveNames: readonly string[] },
  { maxAgeMs = 1000, maxStaleMs = 10_000 } = {},
): (root: string) => Promise<FoundNames> {
  const scans = new Map<string, { startedAt: number; found: Promise<FoundNames> }>();
  return async (root) => {
    const last = scans.get(root);
    if (last === undefined) return start(root).found;
    const ageMs = performance.now() - last.startedAt;
    if (ageMs > maxAgeMs) {
      const scan = start(root);
      // Between two commands that lie far apart, anybody may have put a secret there.
      if (ageMs > maxStaleMs) return scan.found;
      // Quick ones are worth waiting for.
      return Promise.race([scan.found, patience().then(() => last.found)]);
    }
    return last.found;
  };

  function start(root: string) {
    const scan = { startedAt: performance.now(), found: scanNames(root, names) };
    scans.set(root, scan);
    return scan;
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5).unref());
}
