import { DeadlineReached } from "../../shared/deadline.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { CheckFinding } from "./problem.ts";

/** A checker that fails has found nothing; the change it looked at is not concerned. */
export function findingOfError(error: unknown): CheckFinding {
  if (error instanceof DeadlineReached) return { status: "timed-out", why: error.message };
  if (error instanceof ToolError) {
    const isRefused = error.code === "approval-needed" || error.code === "permission-denied";
    return { status: isRefused ? ("refused" as const) : ("failed" as const), why: error.message };
  }
  return { status: "failed", why: error instanceof Error ? error.message : String(error) };
}
