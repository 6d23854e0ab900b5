import { setTimeout as delay } from "node:timers/promises";
import { defaultDialect } from "../../../kernel/dialects/dialects.ts";
import { openFree } from "../../../kernel/runtime/open-free.ts";
import type { RuntimeOptions } from "../../../kernel/runtime/runtime-options.ts";
import type { Session, SessionOptions } from "../../../kernel/runtime/session.ts";
import { openRuntime, type Runtime } from "../../../open-runtime.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { FlagValues } from "../flags.ts";
import { asUsage } from "./as-usage.ts";
import { withRuntime } from "./with-runtime.ts";

/** Opens a runtime and a session for one piece of work, and closes both even if it fails. */
export async function withSession<Result>(
  { options, flags }: { options: RuntimeOptions; flags: Pick<FlagValues, "session" | "dialect"> },
  work: (session: Session, runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const wanted = sessionFrom(flags, options);
  return withRuntime(
    () => openRuntime(options),
    async (runtime) => {
      const open = () => (flags.session === undefined ? openFree : openInTurn)(runtime, wanted);
      return work(await asUsage(open), runtime);
    },
  );
}

/** Another command may have the session for a moment; a script may run many of them at once. */
async function openInTurn(runtime: Runtime, wanted: SessionOptions): Promise<Session> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await runtime.openSession(wanted);
    } catch (error) {
      const isBusy = error instanceof ToolError && error.code === "session-busy";
      if (!isBusy || performance.now() >= giveUpAt) throw error;
      await delay(100 + Math.random() * 100);
    }
  }
}

const patienceMs = 5000;

function sessionFrom({ session, dialect }: Pick<FlagValues, "session" | "dialect">, options: RuntimeOptions) {
  if (session !== undefined) return { id: session, ...(dialect !== undefined && { dialect }) };
  // An earlier call in the session with another --dialect does not decide the dialect of this one.
  return { id: defaultSessionId, dialect: options.dialect ?? defaultDialect, freshBudget: true };
}

// Calls from the command line share one session, and so its variables, like the calls of one agent.
const defaultSessionId = "cli";
