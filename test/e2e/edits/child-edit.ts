/** Adds its own lines to a file that others edit too: `<workspace> <store> <name> <count>`. Prints what it was told is done. */
import { openRuntime } from "../../../src/open-runtime.ts";
import { addLines } from "./add-lines.ts";

const [workspace = "", store = "", name = "", count = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, permissions: { mode: "edit" } });
const session = await runtime.openSession();
console.log("ready");
await new Promise((resolve) => process.stdin.once("data", resolve));
for (const line of await addLines(session, name, Number(count))) console.log(line);
await runtime.close();
