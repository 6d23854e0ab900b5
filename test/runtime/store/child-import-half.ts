/** Imports some lines of an exported session, says so, and never gets the rest: `<store> <exported file> <lines>`. */
import { readFile } from "node:fs/promises";
import { importLog } from "../../../src/runtime/store/exported-log.ts";
import { openStore } from "../../../src/runtime/store/open-store.ts";

const [file = "", exported = "", count = ""] = process.argv.slice(2);
const store = await openStore(`sqlite:${file}`, { defaultFile: file });
const lines = (await readFile(exported, "utf8")).split("\n");
await importLog({ store, workspace: "/" }, someLines());

async function* someLines(): AsyncGenerator<string> {
  yield* lines.slice(0, Number(count));
  console.log("half");
  // A timer, because a process that nothing can wake up ends by itself.
  await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
}
