import type { Ground } from "./open-ground.ts";
import type { TracedRun } from "./run-traced.ts";

/** Commands that wait to be run, and who wants to know what they did. */
export interface TraceQueue {
  /** Waits if too many are under way. */
  add(command: string, whenRun: (run: TracedRun, implementation: string) => Promise<void>): Promise<void>;
  /** Runs what is left. */
  finish(): Promise<void>;
}

const commandsAtOnce = 150;
const mostBatches = 2;

/** Runs commands in batches, beside whatever else is done meanwhile; each batch by another set of programs. */
export function createTraceQueue(ground: Ground): TraceQueue {
  const implementations = [...ground.implementations.keys()];
  const waiting: { command: string; whenRun: (run: TracedRun, implementation: string) => Promise<void> }[] =
    [];
  const batches = new Set<Promise<void>>();
  let count = 0;

  const runBatch = async (batch: typeof waiting, implementation: string) => {
    const runs = await ground.run(
      batch.map(({ command }) => command),
      implementation,
    );
    for (const [index, { whenRun }] of batch.entries()) await whenRun(runs[index]!, implementation);
  };
  const start = async (commands: typeof waiting) => {
    if (batches.size >= mostBatches) await Promise.race(batches);
    const implementation = implementations[count++ % implementations.length]!;
    const batch: Promise<void> = runBatch(commands, implementation).finally(() => batches.delete(batch));
    batches.add(batch);
  };
  return {
    async add(command, whenRun) {
      waiting.push({ command, whenRun });
      if (waiting.length >= commandsAtOnce) await start(waiting.splice(0));
    },
    async finish() {
      // Also a few commands are tried with each set of programs.
      const share = Math.ceil(waiting.length / implementations.length);
      while (waiting.length > 0) await start(waiting.splice(0, share));
      await Promise.all(batches);
    },
  };
}
