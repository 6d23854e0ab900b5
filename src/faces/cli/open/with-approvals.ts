import { openRuntime, type Runtime } from "../../../open-runtime.ts";
import type { FlagValues } from "../flags.ts";
import { currentPerson } from "../terminal/current-person.ts";
import { asUsage } from "./as-usage.ts";
import { optionsFromFlags } from "./options-from-flags.ts";

/** Opens a runtime, which reads the configured servers and starts the approved ones; closes it after the work. */
export async function withApprovals<Result>(
  flags: FlagValues,
  work: (runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const options = { ...(await optionsFromFlags(flags)), caller: currentPerson() };
  const runtime = await asUsage(() => openRuntime(options));
  try {
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}
