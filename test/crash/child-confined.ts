/** Runs confined commands that write, one after the other, until it is killed: `<workspace> <store> <with a job>`. */
import { openRuntime } from "../../src/open-runtime.ts";

const [workspace = "", store = "", withJob = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, sandbox: "required", permissions: { mode: "auto" } });
const session = await runtime.openSession({ id: "killed" });
if (withJob === "job") {
  await session.call("shell_run", { command: "echo begun > job.txt; sleep 600", run_in_background: true });
}
const runOne = () => session.call("shell_run", { command: "echo 1 >> effect.txt; sleep 0.03" });
// The first takes longest to begin: most kills would come before it, when there is nothing to leave behind.
await runOne();
console.log("ready");
for (;;) await runOne();
