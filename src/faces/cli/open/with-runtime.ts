import { openRuntime, type Runtime } from "../../../open-runtime.ts";
import type { FlagValues } from "../flags.ts";
import { currentPerson } from "../terminal/current-person.ts";
import { asUsage } from "./as-usage.ts";
import { optionsFromFlags } from "./options-from-flags.ts";

/** Opens a runtime for one piece of work, and closes it even if the work fails. */
export async function withRuntime<Result>(
  open: () => Promise<Runtime>,
  work: (runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const runtime = await asUsage(open);
  try {
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}

/** Opens a runtime for the person who decides, which reads the configured servers and starts the approved ones. */
export async function withApprovals<Result>(
  flags: FlagValues,
  work: (runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const options = { ...(await optionsFromFlags(flags)), caller: currentPerson() };
  return withRuntime(() => openRuntime(options), work);
}
