import type { Verdict } from "../policy/index.ts";
import { beginCall } from "./begin-call.ts";
import type { CallRequest } from "./call.ts";
import type { CallHost } from "./call-host.ts";
import { runBeforeHooks } from "./hooks/call-hooks.ts";
import { validateInput } from "./input/validate-input.ts";
import { judgeCall } from "./judge-call.ts";
import { resolveTool } from "./resolve-tool.ts";
import { beforeStages, ruleOfStages } from "./stages/stages.ts";

/** The verdict that a call would get, by the same stages, without running or recording it. Rejects with a ToolError. */
export async function explainCall(host: CallHost, request: CallRequest): Promise<Verdict> {
  const call = beginCall(host, request);
  try {
    const resolved = resolveTool(call);
    await validateInput(resolved);
    await runBeforeHooks(resolved, { isExplaining: true });
    beforeStages(resolved);
    return await judgeCall(resolved, ruleOfStages);
  } finally {
    host.run.openCalls.delete(call.deadline);
    call.deadline.close();
  }
}
