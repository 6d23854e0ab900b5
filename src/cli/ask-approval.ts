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
  const shown = [formatApproval(request), ...preview.map((line) => `${line}\n`)].join("");
  process.stderr.write(shown + remind(request, shown));
  const answer = await readAnswer("Allow it? [y/N] ", signal);
  if (answer === undefined) onLeave?.();
  const isYes = /^(?:y|yes)$/i.test((answer ?? "").trim());
  return { decision: isYes ? "allow" : "deny", by: currentPerson().name };
}

/** What asks has left the screen by the time all of it is there, and the end may be all that is read. */
function remind({ tool }: ApprovalRequest, shown: string): string {
  const lines = shown.split("\n").length;
  return lines <= (process.stderr.rows || 24) ? "" : `This was ${tool}, which begins ${lines} lines above.\n`;
}
