/** Makes calls of every kind for long, and measures what stays: `<workspace> <store> <calls>`. */
import { readdir } from "node:fs/promises";
import { getHeapSpaceStatistics } from "node:v8";
import type { Session } from "../../src/index.ts";
import { openRuntime } from "../../src/open-runtime.ts";
import { pass } from "../support/pass.ts";

const [workspace = "", store = "", count = ""] = process.argv.slice(2);
const calls = Number(count);
const runtime = await openRuntime({ workspace, store, permissions: { mode: "auto" } });

let made = 0;
let session: Session | undefined;

async function call(tool: string, input: unknown): Promise<unknown> {
  made += 1;
  const result = await session!.call(tool, input);
  if (result.status !== "done") throw new Error(`${tool}: ${result.text}`);
  return result.data;
}

async function runJob(): Promise<void> {
  const { started } = (await call("shell_run", { command: "echo x", run_in_background: true })) as {
    started: { id: string };
  };
  // It prints no such line, so this waits for its end.
  await session!.jobs.waitFor(started.id, { pattern: "never", deadlineMs: 60_000 });
}

/** A session's worth: files are read, changed, undone; now and then a command and a job run. */
async function work(): Promise<void> {
  session = await runtime.openSession();
  const until = made + 200;
  await call("file_write", { path: "a.txt", content: "count 0\n" });
  for (let turn = 0; made < until; turn++) {
    await call("file_read", { path: "a.txt" });
    // Starts a process, which takes long.
    if (turn % 20 === 0) await call("search_grep", { pattern: "count", path: "a.txt" });
    await call("file_list", { path: "." });
    await call("task_list", {});
    const edit = { path: "a.txt", old_string: `count ${turn}\n`, new_string: `count ${turn + 1}\n` };
    if (turn % 8 === 0) await call("file_edit", edit);
    else await call("file_write", { path: "a.txt", content: `count ${turn + 1}\n` });
    if (turn % 100 === 0) await runJob();
  }
  await session.close();
}

async function measure() {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await pass(20);
  }
  // What is young may be garbage that is not collected yet: up to 10 MB, which come and go.
  const lasting = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith("new_"));
  const heap = lasting.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
  const { arrayBuffers, external } = process.memoryUsage();
  return { heap, outside: arrayBuffers + external, descriptors: (await readdir("/proc/self/fd")).length };
}

// What is kept of closed sessions in memory reaches its bound of 64 MB only after some 65,000 calls.
while (made < calls * 0.7) await work();
const before = await measure();
const from = made;
while (made < calls) await work();
console.log(JSON.stringify({ before, after: await measure(), calls: made - from, all: made }));
await runtime.close();
