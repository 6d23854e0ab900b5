import type { Runtime } from "../../open-runtime.ts";
import { describeSandbox } from "../../runtime/sandbox/describe-sandbox.ts";
import type { Output } from "../terminal/output.ts";

/** Says so, before anything runs, where commands run without a sandbox. */
export async function tellSandbox(runtime: Runtime, output: Output): Promise<void> {
  const sandbox = await runtime.sandbox();
  if (sandbox.kind === "none") await output.tell(`Note: ${describeSandbox(sandbox)}`);
}
