// A separate process that opens a session, starts a job, runs the given command, and waits to be killed.

import { openRuntime } from "../../../src/index.ts";

const [workspace = "", store = "", command = ""] = process.argv.slice(2);
const runtime = await openRuntime({
  workspace,
  store: `sqlite:${store}`,
  sandbox: "off",
  permissions: { mode: "auto" },
});
const session = await runtime.openSession({ id: "killed" });
await session.call("shell_run", { command: "sleep 1000", run_in_background: true });
await session.call("shell_run", { command });
