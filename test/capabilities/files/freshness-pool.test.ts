import { expect, test } from "vitest";
import { createFreshnessPool } from "../../../src/capabilities/files/freshness-pool.ts";

test("a freshness pool tells by the hash where there is one, otherwise by the stamp", () => {
  const pool = createFreshnessPool();
  expect(pool.check("/a", { hash: "1", stamp: "x" })).toBe("never-read");
  pool.record("/a", { hash: "1", stamp: "x" });
  expect(pool.check("/a", { hash: "1", stamp: "y" })).toBe("fresh");
  expect(pool.check("/a", { hash: "2", stamp: "x" })).toEqual({ stale: {} });
  pool.record("/a", { stamp: "x" });
  expect(pool.check("/a", { hash: "2", stamp: "x" })).toBe("fresh");
  expect(pool.check("/a", { hash: "1", stamp: "y" })).toEqual({ stale: {} });
  pool.forget("/a");
  expect(pool.check("/a", { hash: "1", stamp: "x" })).toBe("never-read");
});

test("a freshness pool starts with the hashes of an earlier run, and reports new ones", () => {
  const told: [string, string | undefined][] = [];
  const pool = createFreshnessPool({
    known: new Map([["/a", "1"]]),
    onChange: (path, hash) => told.push([path, hash]),
  });
  expect(pool.check("/a", { hash: "1", stamp: "x" })).toBe("fresh");
  pool.record("/a", { hash: "1", stamp: "x" });
  pool.record("/a", { hash: "2", stamp: "y" });
  pool.carry("/a", "/b");
  pool.forget("/a");
  expect(told).toEqual([
    ["/a", "2"],
    ["/b", "2"],
    ["/a", undefined],
  ]);
});

test("a freshness pool keeps the contents that were read last, up to a limit", () => {
  const pool = createFreshnessPool();
  const bytes = Buffer.alloc(6 * 2 ** 20);
  for (const path of ["/a", "/b", "/c"]) pool.record(path, { hash: "1", stamp: "x", bytes });
  const changed = { hash: "2", stamp: "y" };
  // The same buffer, because comparing so many bytes would take seconds.
  const isHeld = (path: string) => {
    const verdict = pool.check(path, changed);
    return typeof verdict === "object" && verdict.stale.previous === bytes;
  };
  expect(["/a", "/b", "/c"].map(isHeld)).toEqual([false, true, true]);
});
