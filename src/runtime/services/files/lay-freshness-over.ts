import { createFreshnessPool, type FreshnessPool } from "./freshness-pool.ts";

/** What would be known after planned changes; the pool beneath learns nothing of them. */
export function layFreshnessOver(base: FreshnessPool): FreshnessPool {
  const planned = createFreshnessPool();
  const settled = new Set<string>();
  const settle = (path: string) => {
    settled.add(path);
    return path;
  };
  return {
    recordRead: (path, version) => planned.recordRead(settle(path), version),
    recordWrite: (path, version) => planned.recordWrite(settle(path), version),
    forget: (path) => planned.forget(settle(path)),
    carry: (from, to) => planned.carry(from, settle(to)),
    check: (path, current) => (settled.has(path) ? planned : base).check(path, current),
  };
}
