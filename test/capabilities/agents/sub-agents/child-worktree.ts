/** An agent in a process of its own that has spawned one in a worktree: `<workspace> <store>`. Says `ready` when it has written. */
import { openRuntime } from "../../../../src/open-runtime.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

const [workspace = "", store = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, sandbox: "off", permissions: { mode: "auto" } });
const session = await runtime.openSession({ id: "shared" });
const { model } = familyModel({
  CHILD: [
    calling("Bash", { command: "echo half > half.txt" }),
    () => {
      console.log("ready");
      return new Promise<never>(() => {});
    },
  ],
  PARENT: [
    calling("Agent", {
      prompt: "CHILD, work",
      mode: "worktree",
      branch_name: "half",
      description: "half of it",
    }),
  ],
});
// It is killed before it gets an answer, and something has to keep it alive until then.
setInterval(() => {}, 1000);
await runtime.agent({ model, session }).run("PARENT, go");
