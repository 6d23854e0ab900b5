import { ToolError } from "../../tool/tool-error.ts";
import type { Verdict } from "./verdict.ts";

/** The name in verdicts of the guard that asks a person before a model makes the same call yet again. */
export const loopGuard = "loop guard";

/** The error for a call that was denied, or that needs approval when no person can be asked. */
export function refusal(
  tool: string,
  { decision, reason, decidedBy }: Verdict,
  /** The command with which a person approves this very call. */
  howToApprove?: string,
): ToolError {
  if (decision === "ask" && decidedBy === loopGuard) {
    return new ToolError("approval-needed", `${tool} was not run, and there is nobody to ask: ${reason}`, {
      hint: "Do not make this call again. Use what you have, try something else, or say what keeps you from going on.",
    });
  }
  if (decision === "ask") {
    return new ToolError("approval-needed", `${tool} needs approval, but there is nobody to ask: ${reason}`, {
      hint:
        howToApprove === undefined
          ? "Allow it with a rule or another mode, or run it where someone can approve it."
          : `Only a person can approve it, with \`${howToApprove}\`; then make the same call again.`,
    });
  }
  // A hook's reason is in its author's words; all others already say who decided.
  const by = decidedBy.startsWith("hook ") ? ` by ${decidedBy}` : "";
  return new ToolError("permission-denied", `${tool} was denied${by}: ${reason}`, {
    hint: "Do not try to get the same effect another way. If it is needed, ask the user.",
  });
}
