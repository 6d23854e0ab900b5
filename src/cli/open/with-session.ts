import { openRuntime, type Runtime } from "../../open-runtime.ts";
import { defaultDialect } from "../../runtime/dialects/dialects.ts";
import type { RuntimeOptions } from "../../runtime-options.ts";
import type { Session } from "../../session.ts";
import type { FlagValues } from "../flags.ts";
import { asUsage } from "./as-usage.ts";

/** Opens a runtime and a session for one piece of work, and closes both even if it fails. */
export async function withSession<Result>(
  { options, flags }: { options: RuntimeOptions; flags: Pick<FlagValues, "session" | "dialect"> },
  work: (session: Session, runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const runtime = await asUsage(() => openRuntime(options));
  try {
    const session = await asUsage(() => runtime.openSession(sessionFrom(flags, options)));
    return await work(session, runtime);
  } finally {
    await runtime.close();
  }
}

function sessionFrom({ session, dialect }: Pick<FlagValues, "session" | "dialect">, options: RuntimeOptions) {
  if (session !== undefined) return { id: session, ...(dialect !== undefined && { dialect }) };
  // What somebody once called there with another --dialect says nothing about this call.
  return { id: defaultSessionId, dialect: options.dialect ?? defaultDialect, freshBudget: true };
}

// Calls from the command line share one session, and so its variables, like the calls of one agent.
const defaultSessionId = "cli";
