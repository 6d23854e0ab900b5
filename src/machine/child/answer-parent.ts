import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { ToolError } from "../../tool/tool-error.ts";
import { connectPeer, type Peer, type PeerParts } from "./peer.ts";

/** The main loop of a process or thread of ours: answers its parent until that is gone. */
export function answerParent(parts: Omit<PeerParts, "send">): Peer {
  const peer = connectPeer({
    ...parts,
    send: (message) =>
      isMainThread
        ? process.send?.(message, undefined, undefined, () => {})
        : parentPort?.postMessage(message),
  });
  const receive = (message: object) => void peer.receive(message);
  if (isMainThread) {
    watchParent();
    process.on("disconnect", () => process.exit());
    process.on("message", receive);
  } else parentPort?.on("message", receive);
  return peer;
}

/** Answers one task after the other, with work that ends its process or thread if it fails in a way that it did not expect. */
export function answerTasks<Task>(perform: (task: Task) => unknown): void {
  const answer = async (_name: string, task: unknown): Promise<unknown> => {
    try {
      return await perform(task as Task);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      // What state it is in is unknown.
      process.exit(1);
    }
  };
  answerParent({ answer });
}

/**
 * While native code runs, nothing in this thread can notice that the parent was killed, and the work might never end;
 * so another thread looks. The parent passes its id, because it may be gone before this process looks. The processes of
 * its group, which it leads, end with it.
 */
function watchParent(): void {
  const watch = `
setInterval(() => { if (process.ppid !== ${Number(process.argv[2])}) process.kill(-process.pid, "SIGKILL"); }, 500);`;
  new Worker(watch, { eval: true, env: {}, execArgv: [] }).unref();
}
