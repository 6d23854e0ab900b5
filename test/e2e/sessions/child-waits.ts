/** Waits for another process, and for nothing else: `<workspace> <store> approval|question|events|watch`. */

import { defineTool } from "../../../src/index.ts";
import { openRuntime } from "../../../src/open-runtime.ts";

const [workspace = "", store = "", job = ""] = process.argv.slice(2);
const wonder = defineTool({
  name: "wonder",
  description: "Asks the user.",
  params: {},
  traits: { readOnly: true },
  run: async (_input, { ask }) => String(await ask("Go on?")),
});
const runtime = await openRuntime({
  workspace,
  store,
  tools: [wonder],
  approvals: "queue",
  permissions: { mode: "ask" },
});

const jobs: Record<string, () => Promise<string | undefined>> = {
  async approval() {
    const session = await runtime.openSession({ id: "waiting" });
    return (await session.call("file_write", { path: "a.txt", content: "x" })).status;
  },
  async question() {
    const session = await runtime.openSession({ id: "waiting" });
    return (await session.call("wonder" as string, {})).text;
  },
  async events() {
    const remote = await runtime.remoteSession("owned");
    const events = remote.events({ since: await remote.bookmark() });
    console.log("following");
    return (await events.next()).value?.type;
  },
  async watch() {
    const changes = runtime.watch();
    await changes.next();
    console.log("following");
    return (await changes.next()).value?.sessionIds.join();
  },
};
console.log(await jobs[job]!());
await runtime.close();
