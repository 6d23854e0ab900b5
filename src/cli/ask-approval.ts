import type { ApprovalDecision, ApprovalRequest } from "../runtime/permissions/approvals.ts";
import { formatApproval } from "../runtime/permissions/format-approval.ts";
import { currentPerson } from "./current-person.ts";
import { readAnswer } from "./read-answer.ts";

/** Shows on the terminal what a call would do and waits for yes or no; anything but a clear yes is a no. */
export async function askApproval(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
  process.stderr.write(formatApproval(request));
  const answer = (await readAnswer("Allow it? [y/N] ", signal)) ?? "";
  const isYes = /^(?:y|yes)$/i.test(answer.trim());
  return { decision: isYes ? "allow" : "deny", by: currentPerson().name };
}
