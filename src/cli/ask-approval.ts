import { createInterface } from "node:readline";
import type { ApprovalDecision, ApprovalRequest } from "../runtime/permissions/approvals.ts";
import { formatApproval } from "../runtime/permissions/format-approval.ts";
import { currentPerson } from "./current-person.ts";

/** Shows on the terminal what a call would do and waits for yes or no; anything but a clear yes is a no. */
export async function askApproval(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
  process.stderr.write(formatApproval(request));
  const answer = await readAnswer("Allow it? [y/N] ", signal);
  const isYes = /^(?:y|yes)$/i.test(answer.trim());
  return { decision: isYes ? "allow" : "deny", by: currentPerson().name };
}

/** The line that was typed; empty when the person left instead, by Ctrl-C, Ctrl-D or because nobody waits any more. */
function readAnswer(question: string, signal: AbortSignal): Promise<string> {
  // In terminal mode readline gets Ctrl-C itself and closes, so that here it means no and does not end the process.
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  const leave = () => terminal.close();
  return new Promise<string>((resolve) => {
    terminal.on("close", () => {
      process.stderr.write("\n");
      resolve("");
    });
    signal.addEventListener("abort", leave, { once: true });
    terminal.question(question, resolve);
  }).finally(() => {
    signal.removeEventListener("abort", leave);
    terminal.removeAllListeners("close");
    terminal.close();
  });
}
