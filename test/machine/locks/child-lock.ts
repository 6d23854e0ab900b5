/** Uses the lock `files` of the user: `hold` has it until the process is killed, `take-turns` takes and frees it. */
import { join } from "node:path";
import { openKernelLock } from "../../../src/machine/locks/kernel-lock.ts";
import { openLockFolder } from "../../../src/machine/locks/state-base.ts";
import { withUserLock } from "../../../src/machine/locks/user-lock.ts";

const [job = ""] = process.argv.slice(2);
if (job === "hold") {
  const lock = openKernelLock(join(openLockFolder(), "files.lock"));
  console.log(lock.take() ? process.pid : "busy");
  process.stdin.once("data", () => process.exit());
} else {
  console.log(process.pid);
  for (;;) {
    await withUserLock("files", () => {});
    console.log("turn");
  }
}
