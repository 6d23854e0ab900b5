import type { RuntimeOptions, Session } from "../index.ts";
import { openRuntime, type Runtime } from "../open-runtime.ts";

export type SessionOnDemand = ReturnType<typeof createSessionOnDemand>;

/** A runtime with one session, opened when it is first needed. */
export function createSessionOnDemand(optionsFor: () => RuntimeOptions) {
  let opening: Promise<{ runtime: Runtime; session: Session }> | undefined;
  const openBoth = async () =>
    openRuntimeFor(optionsFor(), async (runtime) => ({ runtime, session: await runtime.openSession() }));
  return {
    /** Opens both, unless they are open. If that fails, the next caller tries again. */
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
