/** Appends a receipt, then suspends itself inside the transaction of the next: `<file> <session>`. */
import { writeSync } from "node:fs";
import { StatementSync } from "node:sqlite";
import { openStore } from "../../../src/kernel/store/open-store.ts";
import { callEnd } from "./events.ts";

const [file = "", sessionId = ""] = process.argv.slice(2);
const store = await openStore(`sqlite:${file}`, { defaultFile: file });
await store.append(sessionId, { events: [callEnd(sessionId, "first")] });
const { get } = StatementSync.prototype;
StatementSync.prototype.get = function (this: StatementSync, ...values: unknown[]) {
  if (this.sourceSQL === "COMMIT") {
    StatementSync.prototype.get = get;
    writeSync(1, "suspended\n");
    process.kill(process.pid, "SIGSTOP");
  }
  return Reflect.apply(get, this, values);
} as typeof get;
const receipt = await store.append(sessionId, { events: [callEnd(sessionId, "second")] });
console.log(receipt!.position);
await store.close();
