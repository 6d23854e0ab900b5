import { capability } from "../../kernel/runtime/index.ts";
import { createChildPool } from "../../machine/child/index.ts";
import type { IsolatedProcess } from "./isolated-process.ts";
import { isLoadingIsolated } from "./loading-isolated.ts";

/** Runs tools with the trait `isolated`, each call in a separate process, and keeps processes for the next calls. */
export const isolatedCapability = capability({
  name: "isolated",
  check() {
    if (isLoadingIsolated()) throw new Error(opensRuntime);
  },
  open() {
    const pool = createChildPool<IsolatedProcess>({ maxIdle: 4, maxIdleMs: 60_000 });
    return {
      isolated: {
        async run(work, context) {
          context.signal.throwIfAborted();
          const { module, maxMemoryMb } = work.place;
          const { startIsolated } = await import("./isolated-process.ts");
          const start = () => startIsolated(work.place);
          return pool.use(`${maxMemoryMb} ${module}`, start, (process) => process.call(work, context));
        },
      },
      close: pool.close,
    };
  },
});

const opensRuntime =
  "the module of an isolated tool opens a runtime when it is loaded; move the tool to a module of its own";
