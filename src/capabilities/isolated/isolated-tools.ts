import type { IsolatedRunner } from "../../tool/read-isolated.ts";
import type { IsolatedProcess } from "./isolated-process.ts";

/** Runs tools with the trait `isolated`, each call in a process of its own, and keeps processes for the next calls. */
export interface IsolatedTools extends IsolatedRunner {
  close(): Promise<void>;
}

interface Idle {
  readonly key: string;
  readonly process: IsolatedProcess;
  readonly timer: NodeJS.Timeout;
}

export function createIsolatedTools({ maxIdle = 4, maxIdleMs = 60_000 } = {}): IsolatedTools {
  let idle: Idle[] = [];
  const busy = new Set<IsolatedProcess>();
  let isClosed = false;

  const take = (key: string): IsolatedProcess | undefined => {
    const found = idle.findLast((each) => each.key === key && each.process.isUsable);
    if (found === undefined) return undefined;
    idle = idle.filter((each) => each !== found);
    clearTimeout(found.timer);
    return found.process;
  };
  const endAll = async (those: readonly Idle[]) => {
    idle = idle.filter((each) => !those.includes(each));
    for (const { timer } of those) clearTimeout(timer);
    await Promise.all(those.map(({ process }) => process.end()));
  };
  const rest = (key: string, process: IsolatedProcess) => {
    if (isClosed) return void process.end();
    const timer = setTimeout(() => endAll([kept]), maxIdleMs).unref();
    const kept: Idle = { key, process, timer };
    idle.push(kept);
    const gone = idle.filter((each) => !each.process.isUsable);
    const tooMany = idle.filter((each) => !gone.includes(each));
    void endAll([...gone, ...tooMany.slice(0, Math.max(0, tooMany.length - maxIdle))]);
  };

  return {
    async run(work, context) {
      context.signal.throwIfAborted();
      const { module, maxMemoryMb } = work.place;
      const key = `${maxMemoryMb} ${module}`;
      const { startIsolated } = await import("./isolated-process.ts");
      const process = take(key) ?? startIsolated(work.place);
      busy.add(process);
      try {
        return await process.call(work, context);
      } finally {
        busy.delete(process);
        if (process.isUsable) rest(key, process);
        else await process.end();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([endAll(idle), ...[...busy].map((process) => process.end())]);
    },
  };
}
