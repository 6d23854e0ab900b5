/** Appends for ever, and prints the position of each receipt once it is promised to stay: `<file> <session>`. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { openStore } from "../../../src/kernel/store/open-store.ts";
import { callEnd } from "./events.ts";

const [file = "", sessionId = ""] = process.argv.slice(2);
const store = await openStore(`sqlite:${file}`, { defaultFile: file });
const appendForEver = async (label: string) => {
  for (let number = 0; ; number++) {
    const callId = `${process.pid}_${label}_${number}`;
    const event = callEnd(sessionId, callId, "text ".repeat(number % 200));
    const receipt = await store.append(sessionId, {
      events: [event],
      variables: [{ scope: sessionId, name: callId, value: number }],
    });
    console.log(`${receipt!.position} ${receipt!.hash} ${callId}`);
    // Nothing here waits for the world: without a turn, what a slow reader has not taken yet would never be printed.
    await nextTurn();
  }
};
await Promise.all(["a", "b", "c"].map(appendForEver));
