/** A runtime in a process of its own, which does one job: `<job> <workspace> <store> [<count>]`. */
import { once } from "node:events";
import { openRuntime } from "../../src/open-runtime.ts";
import { sessionTools } from "./session-tools.ts";

const [job = "", workspace = "", store = "", count = ""] = process.argv.slice(2);
const runtime = await openRuntime({
  workspace,
  store,
  tools: sessionTools,
  permissions: { mode: "auto" },
});
const session = await runtime.openSession({ id: "shared" });

const jobs: Record<string, () => Promise<void>> = {
  async "call-for-ever"() {
    for (;;) {
      const { callId } = await session.call("note_down", { text: "x" });
      console.log(callId);
    }
  },
  async hang() {
    await session.call("hang_on", {}, { id: "hanging", onProgress: () => console.log(process.pid) });
  },
  async look() {
    console.log(JSON.stringify((await runtime.receipts()).map(({ status }) => status)));
    await runtime.close();
  },
  async "call-100"() {
    console.log("ready");
    await once(process.stdin, "data");
    for (let count = 0; count < 100; count++) await session.call("note_down", { text: "x" });
    await runtime.close();
  },
  async "measure-heap"() {
    const call = async (count: number) => {
      for (let made = 0; made < count; made++) await session.call("note_down", { text: "x" });
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    const before = await call(4000);
    const after = await call(Number(count));
    console.log((after - before) / Number(count));
    await runtime.close();
  },
};
await jobs[job]!();
