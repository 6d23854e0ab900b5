import type { ApprovalRequest } from "../../runtime/policy/approvals/approvals.ts";
import type { Session } from "../../session.ts";

/** A diff of what would change; empty unless the call would only write files. */
export async function previewOf(
  session: Session,
  { tool, input, verdict }: ApprovalRequest,
): Promise<string> {
  const { writes, runs, hosts, opaque } = verdict.effects;
  if (writes.length === 0 || runs.length + hosts.length > 0 || opaque) return "";
  const { status, text } = await session.dryRun(tool, input);
  return status === "done" ? text : "";
}
