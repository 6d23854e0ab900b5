// Calls a tool that reports without end and never waits, in a process with little memory. Started by call-reports.test.ts.
import { defineTool, openRuntime } from "../../../src/index.ts";

const [workspace = "", store = "memory:", count = "1000000"] = process.argv.slice(2);
const flood = defineTool({
  name: "flood",
  description: "Reports",
  params: {},
  traits: { readOnly: true },
  run(_input, { emit, progress, logger }) {
    for (let number = 1; number <= Number(count); number++) {
      emit("tick", { number, text: "x".repeat(100) });
      progress({ progress: number, total: Number(count) });
      logger.info("tick", { number });
    }
    return "done";
  },
});
const runtime = await openRuntime({ workspace, store, tools: [flood], permissions: { mode: "auto" } });
const session = await runtime.openSession({ id: "one" });
const updates: unknown[] = [];
const { status } = await session.call("flood", {}, { onProgress: (update) => updates.push(update) });
await session.close();
const counts: Record<string, number> = {};
let leftOut = 0;
for await (const event of session.events()) {
  counts[event.type] = (counts[event.type] ?? 0) + 1;
  if (event.type === "log") leftOut += (event.data as { leftOut?: number }).leftOut ?? 0;
}
const [report] = await runtime.verify("one");
await runtime.close();
console.log(JSON.stringify({ status, counts, leftOut, last: updates.at(-1), broken: report?.broken }));
