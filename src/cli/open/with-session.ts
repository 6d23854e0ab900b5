import { openRuntime, type Runtime } from "../../open-runtime.ts";
import type { Session } from "../../open-session.ts";
import type { RuntimeOptions } from "../../runtime-options.ts";
import { asUsage } from "./as-usage.ts";

// One for all calls from the command line, so that they share variables as the calls of one agent do.
const defaultSessionId = "cli";

/** Opens a runtime and a session for one piece of work, and closes both whatever comes of it. */
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
