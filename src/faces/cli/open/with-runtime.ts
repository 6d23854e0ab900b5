import { type PolicyPlaces, policyPlaces } from "../../../kernel/policy/index.ts";
import type { RuntimeOptions } from "../../../kernel/runtime/index.ts";
import { describeSandbox } from "../../../machine/sandbox/index.ts";
import { openRuntimeAt, type Runtime } from "../../../open-runtime.ts";
import type { FlagValues } from "../flags.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { currentPerson } from "../terminal/current-person.ts";
import { asUsage } from "./as-usage.ts";
import { optionsFromFlags } from "./options-from-flags.ts";

/** Opens a runtime for one piece of work, and closes it even if the work fails. */
export function withRuntime<Result>(
  options: RuntimeOptions,
  work: (runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  return withRuntimeAt(policyPlaces(), options, work);
}

/** Does so with policy files that are elsewhere. */
export async function withRuntimeAt<Result>(
  places: PolicyPlaces,
  options: RuntimeOptions,
  work: (runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const runtime = await asUsage(() => openRuntimeAt(places, options));
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
  return withRuntime({ ...(await optionsFromFlags(flags)), caller: currentPerson() }, work);
}

/** Warns, before anything runs, that commands run without a sandbox, or that the state is on another machine. */
export async function warnOfRisks(runtime: Runtime, output: CommandOutput): Promise<void> {
  const [sandbox, { disk }] = await Promise.all([runtime.sandbox(), runtime.health()]);
  if (sandbox.kind === "none") await output.tell(`Note: ${describeSandbox(sandbox)}`);
  if (disk.problem !== undefined) await output.tell(`Note: ${disk.problem}`);
}
