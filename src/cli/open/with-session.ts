import { openRuntime, type Runtime } from "../../open-runtime.ts";
import type { Session } from "../../open-session.ts";
import type { RuntimeOptions } from "../../runtime-options.ts";
import { asUsage } from "./as-usage.ts";

// Calls from the command line share one session, and so its variables, like the calls of one agent.
const defaultSessionId = "cli";

/** Opens a runtime and a session for one piece of work, and closes both even if it fails. */
export async function withSession<Result>(
  { options, id = defaultSessionId }: { options: RuntimeOptions; id?: string | undefined },
  work: (session: Session, runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const runtime = await asUsage(() => openRuntime(options));
  try {
    const session = await asUsage(() => runtime.openSession({ id }));
    return await work(session, runtime);
  } finally {
    await runtime.close();
  }
}
