import { Worker } from "node:worker_threads";
import { entryFile } from "../../../shared/entry-file.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { TextAnswer, TextOutcome, TextTask } from "./text-task.ts";

/** Works on a text in a separate thread, with limits on time and memory. */
export async function performInThread(
  task: TextTask,
  signal: AbortSignal | undefined,
): Promise<TextOutcome<TextTask>> {
  signal?.throwIfAborted();
  const worker = new Worker(entryFile(import.meta.url, { source: "text-main.ts", built: "text" }), {
    workerData: task,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<TextAnswer>();
  const stop = () => reject(signal?.reason);
  const deadline = setTimeout(() => reject(tooMuch(`within ${maxTaskMs / 1000} s`)), maxTaskMs);
  signal?.addEventListener("abort", stop, { once: true });
  worker.once("message", resolve);
  worker.once("error", () => reject(tooMuch(`with ${maxHeapMb} MB of memory`)));
  try {
    const answer = await promise;
    if ("outcome" in answer) return answer.outcome;
    const { code, message, ...options } = answer.failure;
    throw new ToolError(code, message, options);
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

const maxTaskMs = 60_000;
const maxHeapMb = 2048;

function tooMuch(limit: string): ToolError {
  return new ToolError("too-large", `the change could not be worked out ${limit}`, {
    hint: "Nothing was changed. Make smaller changes, or use a program such as sed.",
  });
}
