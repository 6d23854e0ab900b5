import type { Runtime } from "../../open-runtime.ts";
import { describeSandbox } from "../../runtime/sandbox/describe-sandbox.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

/** Warns, before anything runs, that commands run without a sandbox. */
export async function warnIfUnsandboxed(runtime: Runtime, output: CommandOutput): Promise<void> {
  const sandbox = await runtime.sandbox();
  if (sandbox.kind === "none") await output.tell(`Note: ${describeSandbox(sandbox)}`);
}
