/**
 * Makes one change, or several at once (`edit+patch`), and is stopped at a boundary: `<workspace> <store> <change> <boundary>
 * <signal>`. The boundary `told` is the moment when the caller has its answer. Prints that it is ready, waits for a word, and
 * prints what came of it.
 */
import { watchBoundaries } from "./watch-boundaries.ts";

const [workspace = "", store = "", name = "", boundary = "0", signal = "SIGKILL"] = process.argv.slice(2);
const boundaries = await watchBoundaries(boundary, signal);

const { openRuntime } = await import("../../src/open-runtime.ts");
const { changes } = await import("./changes.ts");
const [{ first, make }, ...others] = name.split("+").map((each) => changes[each]!) as [
  (typeof changes)[string],
];
const runtime = await openRuntime({ workspace, store, permissions: { mode: "edit" } });
const session = await runtime.openSession({ id: "killed" });
const done = await first?.(session);
console.log(JSON.stringify({ ready: process.pid, first: done?.callId }));
await new Promise((resolve) => process.stdin.once("data", resolve));
boundaries.begin();
const making = [
  make(session, done),
  ...(others as (typeof changes)[string][]).map((other) => other.make(session, undefined)),
];
const [{ callId, status, text }] = (await Promise.all(making)) as [Awaited<(typeof making)[number]>];
const line = `${JSON.stringify({ callId, status, text, count: boundaries.end() })}\n`;
await new Promise<void>((resolve) =>
  process.stdout.write(line, () => {
    if (boundary === "told") process.kill(process.pid, signal);
    resolve();
  }),
);
await runtime.close();
