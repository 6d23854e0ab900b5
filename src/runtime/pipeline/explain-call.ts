import type { Verdict } from "../policy/verdict.ts";
import { beginCall } from "./begin-call.ts";
import type { CallEnvironment, CallRequest } from "./call.ts";
import { findWholeVerdict } from "./find-whole-verdict.ts";
import { runBeforeHooks } from "./hooks/before-hooks.ts";
import { resolveTool } from "./resolve-tool.ts";
import { validateInput } from "./validate-input.ts";

/** The verdict a call would get, by the same stages, without running or recording it. Rejects with a ToolError. */
export async function explainCall(environment: CallEnvironment, request: CallRequest): Promise<Verdict> {
  const call = beginCall(environment, request);
  try {
    const resolved = resolveTool(call);
    await validateInput(resolved);
    const answers = await runBeforeHooks(resolved, { isExplaining: true });
    return await findWholeVerdict(resolved, answers);
  } finally {
    environment.openCalls.delete(call.deadline);
    call.deadline.close();
  }
}
