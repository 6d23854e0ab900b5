/**
 * Opens a session, which takes back what others have left half done, and is stopped at a boundary on the way: `<workspace> <store>
 * <boundary> <signal>`. Prints its pid, then how many boundaries it passed.
 */
import { watchBoundaries } from "./watch-boundaries.ts";

const [workspace = "", store = "", boundary = "0", signal = "SIGKILL"] = process.argv.slice(2);
const boundaries = await watchBoundaries(boundary, signal);
const { openRuntime } = await import("../../src/open-runtime.ts");
console.log(process.pid);
boundaries.begin();
const runtime = await openRuntime({ workspace, store, permissions: { mode: "edit" } });
await runtime.openSession();
console.log(boundaries.end());
await runtime.close();
