/** A runtime in a process of its own, which does one job: `<job> <workspace> <store> [<count>]`. */
import { once } from "node:events";
import { join } from "node:path";
import { openRuntime } from "../../../src/open-runtime.ts";
import { sessionTools } from "../session-tools.ts";

const [job = "", workspace = "", store = "", count = ""] = process.argv.slice(2);
const runtime = await openRuntime({
  workspace,
  store,
  tools: sessionTools,
  permissions: { mode: "auto" },
});
const isBeside = job.startsWith("beside-");
const session = isBeside ? undefined! : await runtime.openSession({ id: "shared" });

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
  async "beside-look"() {
    await runtime.openSession({ id: "inside" });
    console.log(JSON.stringify((await runtime.receipts()).map(({ status }) => status)));
    await runtime.close();
  },
  /** Changes a file, has a call that hangs, and makes another when it is told to. */
  async own() {
    const { callId } = await session.call("Write", { file_path: join(workspace, "a.txt"), content: "new" });
    const hanging = Promise.withResolvers<void>();
    const call = session.call("hang_on", {}, { id: "hanging", onProgress: () => hanging.resolve() });
    await hanging.promise;
    // Whoever suspends it must not do so while it is writing, which would hold up everybody.
    await session.bookmark();
    console.log(JSON.stringify({ pid: process.pid, callId }));
    await Promise.race([once(process.stdin, "data"), call]);
    const { status, error } = await session.call("note_down", { text: "on" });
    console.log(JSON.stringify({ status, code: error?.code, hanging: (await call).error?.code }));
    await runtime.close();
    // The tool that hangs does so for ever.
    process.exit();
  },
  /** Undoes a change, says so, and is killed. */
  async undo() {
    const { callId } = await session.call("Write", { file_path: join(workspace, "a.txt"), content: "new" });
    const { status } = await session.undo(callId);
    console.log(`${callId} ${status}`);
    process.kill(process.pid, "SIGKILL");
  },
  async "beside-open"() {
    const opened = await runtime.openSession({ id: "shared" }).then(
      () => "opened",
      (error: { code?: string }) => error.code,
    );
    console.log(opened);
    await runtime.close();
  },
  async "beside-count"() {
    const remote = await runtime.remoteSession("shared");
    for (let done = 0; done < Number(count); done++)
      await remote.updateVariable("count", (value) => Number(value ?? 0) + 1);
    await runtime.close();
  },
  async "beside-undo"() {
    const { status } = await (await runtime.remoteSession("shared")).undo(count);
    console.log(status);
    await runtime.close();
  },
  async "measure-heap"() {
    const call = async (count: number) => {
      for (let made = 0; made < count; made++) await session.call("note_down", { text: "x" });
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    // The middle of three: what the engine makes room for comes and goes, what stays of calls stays each time.
    const sizes = [await call(4000)];
    while (sizes.length < 4) sizes.push(await call(Number(count)));
    const growths = sizes.slice(1).map((size, index) => size - sizes[index]!);
    console.log(growths.sort((one, other) => one - other)[1]! / Number(count));
    await runtime.close();
  },
};
await jobs[job]!();
