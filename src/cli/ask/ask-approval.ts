import type { ApprovalDecision, ApprovalRequest } from "../../runtime/policy/approvals/approvals.ts";
import { formatApproval } from "../../runtime/policy/approvals/format-approval.ts";
import { currentPerson } from "../terminal/current-person.ts";
import { readAnswer } from "./read-answer.ts";

interface ApprovalView {
  /** A diff of what would change, as printable lines. */
  readonly preview?: readonly string[];
  /** Who asks, as printable text, where it is not the main agent or a person. */
  readonly asking?: string;
  /** Called when the person presses Ctrl-C or Ctrl-D instead of answering. */
  onLeave?(): void;
}

/** Shows on the terminal what a call would do and waits for an answer; anything but a clear yes is a no. */
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

/** After a long request, repeats who asks: its first lines have scrolled off the screen. */
function remind({ tool }: ApprovalRequest, shown: string, asking: string | undefined): string {
  const lines = shown.split("\n").length;
  if (lines <= (process.stderr.rows || 24)) return "";
  const of = asking === undefined ? "" : ` by ${asking}`;
  return `This request for ${tool}${of} starts ${lines} lines above.\n`;
}
