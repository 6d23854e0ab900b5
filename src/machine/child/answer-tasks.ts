import { Worker } from "node:worker_threads";

/** The main loop of a child program: answers one task after the other, until its parent is gone. */
export function answerTasks<Task, Answer>(answer: (task: Task) => Answer | Promise<Answer>): void {
  watchParent();
  process.on("disconnect", () => process.exit());
  process.on("message", async (task) => {
    process.send?.(await answer(task as Task));
  });
}

/**
 * While native code runs, nothing in this thread can notice that the parent was killed, and the work might never end;
 * so another thread looks. The parent passes its id, because it may be gone before this process looks. With
 * `endsGroup`, the processes of its group, which it leads, end with it.
 */
export function watchParent({ endsGroup = false } = {}): void {
  const target = endsGroup ? "-process.pid" : "process.pid";
  const watch = `
setInterval(() => { if (process.ppid !== ${Number(process.argv[2])}) process.kill(${target}, "SIGKILL"); }, 500);`;
  new Worker(watch, { eval: true, env: {}, execArgv: [] }).unref();
}
