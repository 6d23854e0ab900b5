/** Waits for a word, then appends receipts in groups: `<file> <session> <count> <label>`. */
import { once } from "node:events";
import { openStore } from "../../../src/kernel/store/open-store.ts";
import { callEnd, custom } from "./events.ts";

const [file = "", sessionId = "", count = "", label = ""] = process.argv.slice(2);
const store = await openStore(`sqlite:${file}`, { defaultFile: file });
console.log("ready");
await once(process.stdin, "data");
for (let number = 0; number < Number(count); number += 2) {
  await Promise.all([
    store.append(sessionId, { events: [callEnd(sessionId, `${label}_${number}`)] }),
    store.append(sessionId, { events: [custom(`${label}_${number + 1}`)] }),
  ]);
}
await store.close();
