/** Imports some lines of an exported session, says so, and never gets the rest: `<store> <exported file> <lines>`. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { keptKinds } from "../../../src/capabilities.ts";
import { importLog } from "../../../src/kernel/store/exported-log.ts";
import { openStore } from "../../../src/kernel/store/open-store.ts";

const [file = "", exported = "", count = ""] = process.argv.slice(2);
const store = await openStore(`sqlite:${file}`, { defaultFile: file });
const lines = (await readFile(exported, "utf8")).split("\n");
await importLog({ store, workspace: "/", kinds: keptKinds }, someLines());

async function* someLines(): AsyncGenerator<string> {
  yield* lines.slice(0, Number(count));
  console.log("half");
  await once(process.stdin.resume(), "end");
}
