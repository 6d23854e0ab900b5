import { Worker } from "node:worker_threads";
import { entryFile } from "../../../shared/entry-file.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ConvertedPage, PageTask, ThreadAnswer } from "./convert-page.ts";

/**
 * Converts in a thread with limits on time and memory: whatever a hostile page does to a parser, this process stays
 * responsive.
 */
export async function convertInThread<Task extends PageTask>(
  task: Task,
  { signal, timeoutMs = maxConversionMs }: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<ConvertedPage<Task>> {
  signal?.throwIfAborted();
  const worker = new Worker(entryFile(import.meta.url, { source: "page-main.ts", built: "page" }), {
    workerData: task,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  const deadline = setTimeout(() => reject(tooComplex(`within ${timeoutMs / 1000} s`)), timeoutMs);
  const stop = () => reject(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  worker.once("message", resolve);
  worker.once("error", () => reject(tooComplex(`with ${maxHeapMb} MB of memory`)));
  try {
    const answer = await promise;
    if ("failure" in answer) throw new ToolError("unavailable", answer.failure);
    return answer.page as ConvertedPage<Task>;
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

const maxConversionMs = 15_000;
const maxHeapMb = 256;

function tooComplex(limit: string): ToolError {
  return new ToolError("too-large", `the page could not be converted ${limit}`, {
    hint: "Download it to a file and search that file instead.",
  });
}
