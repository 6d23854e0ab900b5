// Started by heap.mjs with --expose-gc, the kind of store, a folder and how many calls to make before and while counting;
// prints its measurements as JSON.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { checkEcho, echoInput } from "../call/echo.mjs";
import { openEchoSession } from "../call/open-echo-session.mjs";

const [kind, folder, ...counts] = process.argv.slice(2);
const [warmUpCalls, measuredCalls] = counts.map(Number);
const edgeCalls = measuredCalls / 100;
const workspace = join(folder, "workspace");
await mkdir(workspace);
const store = kind === "memory" ? "memory:" : `sqlite:${join(folder, "state", "store.sqlite")}`;
const { session, close } = await openEchoSession({ workspace, store, governed: true });

await callMany(warmUpCalls);
const firstMicroseconds = await timeEdge();
const before = await settledHeapBytes();
await callMany(measuredCalls - edgeCalls);
const lastMicroseconds = await timeEdge();
const after = await settledHeapBytes();
await close();
console.log(
  JSON.stringify({ heapBytesPerCall: (after - before) / measuredCalls, firstMicroseconds, lastMicroseconds }),
);

async function callMany(count) {
  for (let index = 0; index < count; index++) checkEcho((await session.call("echo", echoInput)).text);
}

/** The fastest of ten parts of a thousand calls, so that garbage collection and other processes do not count. */
async function timeEdge() {
  let best = Number.POSITIVE_INFINITY;
  for (let part = 0; part < 10; part++) {
    const startedAt = performance.now();
    await callMany(edgeCalls / 10);
    best = Math.min(best, ((performance.now() - startedAt) * 1000) / (edgeCalls / 10));
  }
  return best;
}

async function settledHeapBytes() {
  for (let pass = 0; pass < 5; pass++) {
    await nextTurn();
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}
