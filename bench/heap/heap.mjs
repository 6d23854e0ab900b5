import { fileURLToPath } from "node:url";
import { bar } from "../support/bar.mjs";
import { runNode } from "../support/run-node.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";

const script = fileURLToPath(new URL("./count-calls.mjs", import.meta.url));
const sizes = {
  // Enough calls before counting for the compiler to finish, so that its memory and time are not counted.
  full: { runs: 3, calls: [30_000, 100_000] },
  smallest: { runs: 1, calls: [0, 1000] },
};

/** How much heap 100,000 calls leave behind, and whether the last calls are as fast as the first. */
export default async function measureHeap({ size }) {
  const stores = [];
  for (const store of ["sqlite", "memory"])
    stores.push({ store, ...(await measureStore(store, sizes[size])) });
  return {
    tables: [
      { title: "Heap kept per call, over 100,000 calls", rows: stores.map(toHeapRow) },
      { title: "One call, among the first and the last 1,000", rows: stores.flatMap(toTimeRows) },
    ],
    bars: stores.flatMap(toBars),
  };
}

/** Each run is a separate process; the one with the least garbage collector noise counts, and the fastest time. */
async function measureStore(store, { runs, calls }) {
  const results = [];
  for (let run = 0; run < runs; run++) {
    const { stdout } = await withTemporaryFolder((folder) =>
      runNode(["--expose-gc", script, store, folder, ...calls.map(String)]),
    );
    results.push(JSON.parse(stdout));
  }
  const sorted = (key) => results.map((result) => result[key]).sort((left, right) => left - right);
  const pick = (key) => ({ best: sorted(key)[0], median: sorted(key)[Math.floor(runs / 2)] });
  return { heap: pick("heapBytesPerCall"), first: pick("firstMicroseconds"), last: pick("lastMicroseconds") };
}

function toHeapRow({ store, heap }) {
  return { name: `${store} store`, unit: "B", ...heap };
}

function toTimeRows({ store, first, last }) {
  return [
    { name: `${store} store, first 1,000`, unit: "µs", ...first, ratios: { first: 1 } },
    { name: `${store} store, last 1,000`, unit: "µs", ...last, ratios: { first: last.best / first.best } },
  ];
}

// Times of a thousand calls vary by a fifth between runs; a cost that grows with the log would show as a multiple.
const flatLimit = 1.3;

function toBars({ store, heap, first, last }) {
  const flat = bar(`last 1,000 of 100,000 calls over the first, ${store} store`, {
    value: last.best / first.best,
    limit: flatLimit,
  });
  if (store !== "sqlite") return [flat];
  return [bar("heap kept per call, SQLite store", { value: heap.median, limit: 1, unit: "B" }), flat];
}
