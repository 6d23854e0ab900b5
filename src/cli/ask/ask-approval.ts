import type { ApprovalDecision, ApprovalRequest } from "../../runtime/policy/approvals/approvals.ts";
import { formatApproval } from "../../runtime/policy/approvals/format-approval.ts";
import { currentPerson } from "../terminal/current-person.ts";
import { readAnswer } from "./read-answer.ts";

interface ApprovalView {
  /** What exactly would change, ready to be printed. */
  readonly preview?: readonly string[];
  /** Who asks, where that is not plain; ready to be printed. */
  readonly asking?: string;
  /** The person left instead of answering. */
  onLeave?(): void;
}

/** Shows on the terminal what a call would do and waits for yes or no; anything but a clear yes is a no. */
export async function askApproval(
  request: ApprovalRequest,
  signal: AbortSignal,
  { preview = [], asking, onLeave }: ApprovalView = {},
): Promise<ApprovalDecision> {
  const shown = [formatApproval(request, asking), ...preview.map((line) => `${line}\n`)].join("");
  process.stderr.write(shown + remind(request, shown, asking));
  const answer = await readAnswer("Allow it? [y/N] ", signal);
  if (answer === undefined) onLeave?.();
  const isYes = /^(?:y|yes)$/i.test((answer ?? "").trim());
  return { decision: isYes ? "allow" : "deny", by: currentPerson().name };
}

/** What asks has left the screen by the time all of it is there, and the end may be all that is read. */
function remind({ tool }: ApprovalRequest, shown: string, asking: string | undefined): string {
  const lines = shown.split("\n").length;
  if (lines <= (process.stderr.rows || 24)) return "";
  const of = asking === undefined ? "" : ` of ${asking}`;
  return `This was ${tool}${of}, which begins ${lines} lines above.\n`;
}
