/** An agent in a process of its own, to be killed: `<workspace> <store> <base URL of its model> [resume]`. */
import { openRuntime } from "../../../src/open-runtime.ts";
import { sessionTools } from "../session-tools.ts";

const [workspace = "", store = "", baseUrl = "", how = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, tools: sessionTools, permissions: { mode: "auto" } });
const agent = runtime.agent({ model: "any", baseUrl, session: { id: "shared" }, maxSteps: 1_000_000 });
console.log("open");
await agent.run(how === "resume" ? undefined : "work until you are killed");
