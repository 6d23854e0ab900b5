/** Makes a call that waits for approval, and says so: `<workspace> <store>`. */
import { openRuntime } from "../../src/open-runtime.ts";

const [workspace = "", store = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, permissions: { mode: "ask" }, approvals: "queue" });
const session = await runtime.openSession({ id: "killed" });
void session.call("file_write", { path: "a.txt", content: "mine" });
for await (const event of session.events()) if (event.type === "approval-request") console.log(event.callId);
