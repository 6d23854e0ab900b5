import { ToolError } from "../../tool/tool-error.ts";
import type { Verdict } from "./verdict.ts";

/** Why a call may not go on: it was denied, or it would have to be asked about and nobody is there. */
export function refusal(tool: string, { decision, reason, decidedBy }: Verdict): ToolError {
  if (decision === "ask") {
    return new ToolError("approval-needed", `${tool} needs approval and there is nobody to ask: ${reason}`, {
      hint: "Allow it by a rule or another mode, or run where somebody can answer.",
    });
  }
  return new ToolError("permission-denied", `${tool} was denied by ${decidedBy}: ${reason}`, {
    hint: "Do not try the same thing another way; ask the person if it is needed.",
  });
}
