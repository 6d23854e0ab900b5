import { Worker } from "node:worker_threads";
import { ToolError } from "../../tool/tool-error.ts";
import { connectPeer, type Peer } from "./peer.ts";

export interface ThreadLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxHeapMb: number;
}

/** The file of a thread, or its source where it needs no code of ours; it answers as a `Peer` does. */
export type ThreadProgram = string | { readonly source: string };

/**
 * Has a thread of ours (`answerTasks`) do one task, and ends it. A ToolError of the task is thrown as it is; for any other end of
 * the thread `tooMuch` says which limit it met.
 */
export async function askThread<Answer>(
  program: ThreadProgram,
  task: unknown,
  { signal, timeoutMs, maxHeapMb, tooMuch }: ThreadLimits & { tooMuch: (limit: string) => Error },
): Promise<Answer> {
  signal?.throwIfAborted();
  const { peer, worker } = openThread(program, {
    maxHeapMb,
    endedBy: () => tooMuch(`with ${maxHeapMb} MB of memory`),
  });
  const deadline = setTimeout(() => peer.close(tooMuch(`within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    return (await peer.ask("task", task, { signal })) as Answer;
  } finally {
    clearTimeout(deadline);
    await worker.terminate();
  }
}

/**
 * Starts a thread that sees no variable of ours and prints nothing. When it ends, its open questions fail with the error of
 * `endedBy`, which gets the reason if the thread has thrown.
 */
export function openThread(
  program: ThreadProgram,
  { maxHeapMb, endedBy }: { maxHeapMb?: number; endedBy: (thrown: unknown) => Error },
): { readonly worker: Worker; readonly peer: Peer } {
  const isFile = typeof program === "string";
  const worker = new Worker(isFile ? program : program.source, {
    eval: !isFile,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: maxHeapMb === undefined ? {} : { maxOldGenerationSizeMb: maxHeapMb },
  });
  const peer = connectPeer({ send: (message) => worker.postMessage(message), answer: refuse });
  worker
    .on("message", peer.receive)
    .on("error", (thrown) => peer.close(endedBy(thrown)))
    .on("exit", () => peer.close(endedBy(undefined)));
  return { worker, peer };
}

function refuse(): never {
  throw new ToolError("unsupported", "a thread is asked, and asks nothing");
}
