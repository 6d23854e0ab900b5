import { type ChildProcess, fork } from "node:child_process";

/**
 * Our own programs in separate processes, for work that has to be stoppable at any moment: native code such as a
 * database engine or a parser ignores the end of a thread, and can take the whole process with it when it crashes.
 */
export interface ChildPrograms<Task, Answer> {
  /** Resolves with the answer. When the signal is aborted, the process is killed, and the reason is thrown once it is gone. */
  ask(task: Task, options: { readonly signal: AbortSignal }): Promise<Answer>;
  close(): Promise<void>;
}

/** The process ended before it answered: it crashed, or used more memory than it may. */
export class ChildCrashed extends Error {
  override readonly name = "ChildCrashed";
}

/** Processes are started when needed, used for one task at a time, and kept for the next. */
export function createChildPrograms<Task, Answer>(
  file: () => string,
  { maxHeapMb = 256, maxIdle = 1 } = {},
): ChildPrograms<Task, Answer> {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();

  const start = (): ChildProcess => {
    const child = fork(file(), [String(process.pid)], {
      // No variable of ours is inherited; the task brings all that the child needs.
      env: {},
      execArgv: [`--max-old-space-size=${maxHeapMb}`],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    all.add(child);
    // A process that cannot be started or reached ends, and that is handled.
    child.on("error", () => {});
    child.once("exit", () => {
      all.delete(child);
      if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
    });
    return child;
  };
  /** Only a process at work keeps ours alive. */
  const rest = (child: ChildProcess) => {
    child.unref();
    child.channel?.unref();
    if (idle.length < maxIdle && child.connected) idle.push(child);
    else child.kill("SIGKILL");
  };

  return {
    async ask(task, { signal }) {
      signal.throwIfAborted();
      const child = idle.pop() ?? start();
      child.ref();
      child.channel?.ref();
      const answered = Promise.withResolvers<Answer>();
      const exit = Promise.withResolvers<void>();
      if (child.exitCode !== null || child.signalCode !== null) exit.resolve();
      const onExit = () => exit.resolve();
      const onMessage = (answer: unknown) => answered.resolve(answer as Answer);
      const kill = () => child.kill("SIGKILL");
      child.on("message", onMessage);
      child.on("exit", onExit);
      signal.addEventListener("abort", kill, { once: true });
      // A task that cannot be sent throws before anybody waits for the answer.
      answered.promise.catch(() => {});
      exit.promise.then(() => answered.reject(new ChildCrashed("the process ended before it answered")));
      try {
        child.send(task as object, (error) => {
          if (error !== null) child.kill("SIGKILL");
        });
        const answer = await answered.promise;
        signal.throwIfAborted();
        rest(child);
        return answer;
      } catch (error) {
        child.kill("SIGKILL");
        await exit.promise;
        signal.throwIfAborted();
        throw error;
      } finally {
        child.off("message", onMessage);
        child.off("exit", onExit);
        signal.removeEventListener("abort", kill);
      }
    },
    async close() {
      const ends = [...all].map((child) => new Promise((resolve) => child.once("exit", resolve)));
      for (const child of all) {
        child.ref();
        child.kill("SIGKILL");
      }
      await Promise.all(ends);
    },
  };
}
