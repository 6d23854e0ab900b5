import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { bar } from "../support/bar.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { aiSdkAgent, aiSdkStreamingAgent } from "./ai-sdk-agent.mjs";
import { openToolwrightAgent } from "./toolwright-agent.mjs";

const sizes = { full: { extraSteps: 100 }, smallest: { extraSteps: 5 } };

/**
 * The cost of a step inside the loop of an agent, without the model's own time: a script answers at once. The same work is
 * done with one step that makes a call and with 101; the difference divided by a hundred is the cost of a step.
 */
export default async function measureAgent({ size }) {
  const { extraSteps } = sizes[size];
  return withTemporaryFolder(async (folder) => {
    const workspace = join(folder, "workspace");
    await mkdir(workspace);
    const memory = await openToolwrightAgent({ workspace, store: "memory:" });
    const sqlite = await openToolwrightAgent({ workspace, store: `sqlite:${join(folder, "store.sqlite")}` });
    const loops = new Map([
      ["AI SDK, generateText", aiSdkAgent],
      ["AI SDK, streamText", aiSdkStreamingAgent],
      ["Toolwright, memory store", memory.run],
      ["Toolwright, SQLite store", sqlite.run],
    ]);
    const candidates = [...loops].flatMap(([name, run]) => [
      { name: `${name} long`, operations: 1, run: () => run(1 + extraSteps) },
      { name: `${name} short`, operations: 1, run: () => run(1) },
    ]);
    const times = await measureRounds(candidates, { size, rounds: 60, roundMs: 20, warmUpMs: 1000 });
    await memory.close();
    await sqlite.close();
    const net = (name, figure) =>
      (times.get(`${name} long`)[figure] - times.get(`${name} short`)[figure]) / extraSteps;
    const peer = net("AI SDK, generateText", "best");
    const rows = [...loops.keys()].map((name) => ({
      name,
      unit: "µs",
      best: net(name, "best"),
      median: net(name, "median"),
      ratios: { generateText: net(name, "best") / peer },
    }));
    return {
      tables: [{ title: "One step with one call, in the loop of an agent, net", rows }],
      bars: [
        bar("a step of the agent, memory store, over generateText's", {
          value: net("Toolwright, memory store", "best") / peer,
          limit: 1,
        }),
      ],
    };
  });
}
