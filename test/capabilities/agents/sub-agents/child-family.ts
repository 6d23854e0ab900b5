/** An agent in a process of its own that has spawned others: `<workspace> <store>`. Says `ready` when all are at work. */
import { openRuntime } from "../../../../src/open-runtime.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

const [workspace = "", store = ""] = process.argv.slice(2);
const runtime = await openRuntime({
  workspace,
  store,
  sandbox: "off",
  permissions: { mode: "auto" },
  agents: { maxDepth: 2 },
});
const session = await runtime.openSession({ id: "shared" });
const { model } = familyModel({
  GRANDCHILD: [calling("Bash", { command: "echo $$ > grandchild.pid; exec sleep 100" })],
  CHILD: [calling("Agent", { prompt: "GRANDCHILD, wait" })],
  BESIDE: [calling("Bash", { command: "echo $$ > beside.pid; exec sleep 100" })],
  PARENT: [
    calling("Agent", { prompt: "CHILD, wait", mode: "background", description: "wait for ever" }),
    calling("Agent", { prompt: "BESIDE, wait" }),
  ],
});
const running = runtime.agent({ model, session }).run("PARENT, go");
let started = 0;
for await (const event of session.events()) {
  const inner = event.type === "subagent-event" ? innermost(event.event) : event;
  if (inner.type === "call-start" && inner.tool === "shell_run") started += 1;
  if (started === 2) break;
}
console.log("ready");
await running;

function innermost(
  event: typeof session.events extends () => AsyncGenerator<infer Event> ? Event : never,
): typeof event {
  return event.type === "subagent-event" ? innermost(event.event) : event;
}
