import type { RuntimeOptions, Session } from "../index.ts";
import { openRuntime, type Runtime } from "../open-runtime.ts";

/** A runtime with one session, opened when it is first needed. */
export interface SessionOnDemand {
  /** Opens both, unless they are open. If that fails, the next caller tries again. */
  open(): Promise<{ readonly runtime: Runtime; readonly session: Session }>;
  close(): Promise<void>;
}

export function createSessionOnDemand(optionsFor: () => RuntimeOptions): SessionOnDemand {
  let opening: ReturnType<SessionOnDemand["open"]> | undefined;
  const openBoth = async () =>
    openRuntimeFor(optionsFor(), async (runtime) => ({ runtime, session: await runtime.openSession() }));
  return {
    open() {
      opening ??= openBoth().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.runtime.close();
    },
  };
}

/** Opens a runtime, and closes it again if the work that follows fails. */
export async function openRuntimeFor<Opened>(
  options: RuntimeOptions,
  work: (runtime: Runtime) => Promise<Opened>,
): Promise<Opened> {
  const runtime = await openRuntime(options);
  try {
    return await work(runtime);
  } catch (error) {
    await runtime.close();
    throw error;
  }
}
