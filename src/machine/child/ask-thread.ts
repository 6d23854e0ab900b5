import { Worker } from "node:worker_threads";
import { ToolError } from "../../tool/tool-error.ts";
import { connectPeer } from "./peer.ts";

export interface ThreadLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxHeapMb: number;
}

/**
 * Has a thread of ours (`answerTasks`) do one task, and ends it. A ToolError of the task is thrown as it is; for any other end of
 * the thread `tooMuch` says which limit it met.
 */
export async function askThread<Answer>(
  file: string,
  task: unknown,
  { signal, timeoutMs, maxHeapMb, tooMuch }: ThreadLimits & { tooMuch: (limit: string) => Error },
): Promise<Answer> {
  signal?.throwIfAborted();
  const worker = new Worker(file, {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const peer = connectPeer({ send: (message) => worker.postMessage(message), answer: refuse });
  const onEnd = () => peer.close(tooMuch(`with ${maxHeapMb} MB of memory`));
  worker.on("message", peer.receive).once("error", onEnd).once("exit", onEnd);
  const deadline = setTimeout(() => peer.close(tooMuch(`within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    return (await peer.ask("task", task, { signal })) as Answer;
  } finally {
    clearTimeout(deadline);
    await worker.terminate();
  }
}

function refuse(): never {
  throw new ToolError("unsupported", "a thread is asked, and asks nothing");
}
