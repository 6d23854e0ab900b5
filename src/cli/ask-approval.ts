import type { ApprovalDecision, ApprovalRequest } from "../runtime/permissions/approvals.ts";
import { formatApproval } from "../runtime/permissions/format-approval.ts";
import { currentPerson } from "./current-person.ts";
import { readAnswer } from "./read-answer.ts";

interface ApprovalView {
  /** What exactly would change, ready to be printed. */
  readonly preview?: readonly string[];
  /** The person left instead of answering. */
  onLeave?(): void;
}

/** Shows on the terminal what a call would do and waits for yes or no; anything but a clear yes is a no. */
export async function askApproval(
  request: ApprovalRequest,
  signal: AbortSignal,
  { preview = [], onLeave }: ApprovalView = {},
): Promise<ApprovalDecision> {
  process.stderr.write([formatApproval(request), ...preview.map((line) => `${line}\n`)].join(""));
  const answer = await readAnswer("Allow it? [y/N] ", signal);
  if (answer === undefined) onLeave?.();
  const isYes = /^(?:y|yes)$/i.test((answer ?? "").trim());
  return { decision: isYes ? "allow" : "deny", by: currentPerson().name };
}
