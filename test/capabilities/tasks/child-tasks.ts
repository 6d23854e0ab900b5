/** A runtime in a separate process that creates tasks: `<job> <workspace> <store>`. */
import { openRuntime } from "../../../src/open-runtime.ts";

const [job = "", workspace = "", store = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store });
const session = await runtime.openSession({ id: "shared" });

const jobs: Record<string, () => Promise<void>> = {
  async "create-for-ever"() {
    for (;;) {
      const { data } = await session.call("task_create", { title: "x" });
      console.log((data as { id: string }).id);
    }
  },
};
await jobs[job]!();
