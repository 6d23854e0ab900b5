/**
 * Makes a call that waits for approval, and says so: `<workspace> <store> [stuck]`. With `stuck`, the call does not begin even
 * when it is approved.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { openRuntime } from "../../src/open-runtime.ts";

const [workspace = "", store = "", isStuck] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, permissions: { mode: "ask" }, approvals: "queue" });
// Waiting for a person keeps no process alive.
process.stdin.resume();
const session = await runtime.openSession({ id: "killed" });
void session.call("file_write", { path: "a.txt", content: "mine" });
for await (const event of session.events())
  if (event.type === "approval-request") {
    if (isStuck !== undefined) {
      // What the call is about is looked at again after the answer; that never ends here.
      fs.promises.lstat = (() => new Promise(() => {})) as unknown as typeof fs.promises.lstat;
      syncBuiltinESMExports();
    }
    console.log(event.callId);
  }
