/** Writes a file where nobody can be asked, and says what became of it: `<workspace> <store>`. */
import { openRuntime } from "../../../src/open-runtime.ts";

const [workspace = "", store = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, permissions: { mode: "ask" } });
const session = await runtime.openSession({ dialect: "canonical" });
console.log((await session.call("file_write", { path: "a", content: "x" })).status);
await runtime.close();
