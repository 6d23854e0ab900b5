import { describeSandbox } from "../../../machine/sandbox/find-sandbox.ts";
import type { Runtime } from "../../../open-runtime.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

/** Warns, before anything runs, that commands run without a sandbox, or that the state is on another machine. */
export async function warnOfRisks(runtime: Runtime, output: CommandOutput): Promise<void> {
  const [sandbox, { disk }] = await Promise.all([runtime.sandbox(), runtime.health()]);
  if (sandbox.kind === "none") await output.tell(`Note: ${describeSandbox(sandbox)}`);
  if (disk.problem !== undefined) await output.tell(`Note: ${disk.problem}`);
}
