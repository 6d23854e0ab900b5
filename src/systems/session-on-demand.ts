import type { RuntimeOptions } from "../kernel/runtime/runtime-options.ts";
import type { Session } from "../kernel/runtime/session.ts";
import { openRuntime, type Runtime } from "../open-runtime.ts";

/** A runtime with one session, opened when it is first needed. */
export interface SessionOnDemand {
  /** What failed is tried again the next time. */
  open(): Promise<{ readonly runtime: Runtime; readonly session: Session }>;
  close(): Promise<void>;
}

export function createSessionOnDemand(optionsFor: () => RuntimeOptions): SessionOnDemand {
  let opening: ReturnType<SessionOnDemand["open"]> | undefined;
  return {
    open() {
      opening ??= openBoth(optionsFor).catch((error: unknown) => {
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

async function openBoth(optionsFor: () => RuntimeOptions) {
  const runtime = await openRuntime(optionsFor());
  try {
    return { runtime, session: await runtime.openSession() };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}
