import { type FoundNames, scanNames } from "./scan-names.ts";

/** Caches the scan of each root. Old scans are usually refreshed in the background, so that commands need not wait. */
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
      // After a long pause, someone may have added a secret, so wait for the new scan.
      if (ageMs > maxStaleMs) return scan.found;
      // A quick scan is worth waiting for.
      return Promise.race([scan.found, shortWait().then(() => last.found)]);
    }
    return last.found;
  };

  function start(root: string) {
    const scan = { startedAt: performance.now(), found: scanNames(root, names) };
    scans.set(root, scan);
    return scan;
  }
}

function shortWait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5).unref());
}
