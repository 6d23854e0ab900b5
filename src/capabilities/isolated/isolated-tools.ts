import { createChildPool } from "../../machine/child/child-pool.ts";
import type { IsolatedRunner } from "../../tool/read-isolated.ts";
import type { IsolatedProcess } from "./isolated-process.ts";

/** Runs tools with the trait `isolated`, each call in a process of its own, and keeps processes for the next calls. */
export interface IsolatedTools extends IsolatedRunner {
  close(): Promise<void>;
}

export function createIsolatedTools(): IsolatedTools {
  const pool = createChildPool<IsolatedProcess>({ maxIdle: 4, maxIdleMs: 60_000 });
  return {
    async run(work, context) {
      context.signal.throwIfAborted();
      const { module, maxMemoryMb } = work.place;
      const { startIsolated } = await import("./isolated-process.ts");
      const start = () => startIsolated(work.place);
      return pool.use(`${maxMemoryMb} ${module}`, start, (process) => process.call(work, context));
    },
    close: pool.close,
  };
}
