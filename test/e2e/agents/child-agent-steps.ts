/** Five hundred steps of an agent in a process of its own: prints how much heap is in use along the way. */

import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { defineTool } from "../../../src/index.ts";
import { openRuntime } from "../../../src/open-runtime.ts";

const [workspace = "", store = "", steps = "500"] = process.argv.slice(2);
const long = defineTool({
  name: "long",
  description: "Says much.",
  params: { number: { type: "integer" } },
  traits: { readOnly: true },
  run: ({ number }) => `output ${number} `.padEnd(8000, `${number} `),
});
const heap = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const measured: number[] = [];
const model = scriptedModel((_request, step) => {
  if (step % 100 === 0) measured.push(heap());
  if (step > Number(steps)) return { text: "done" };
  return { text: `step ${step}`, calls: [{ name: "long", input: { number: step } }] };
});
const runtime = await openRuntime({ workspace, store, tools: [long], permissions: { mode: "auto" } });
const agent = runtime.agent({ model, contextTokens: 32_000, maxSteps: 10_000 });
const { reason } = await agent.run("go on");
console.log(JSON.stringify({ reason, measured }));
await runtime.close();
