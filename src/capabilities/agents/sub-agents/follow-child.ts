import type { SessionLog } from "../../../kernel/session/index.ts";
import { isoTime } from "../../../shared/iso-time.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { AgentReport } from "../../../tool/services/agents.ts";
import type { TaskStatus } from "../../../tool/services/tasks.ts";
import type { AgentResult } from "../agent-run.ts";
import { type AgentRecord, toEventFields } from "./agent-record.ts";
import type { ChildAgent } from "./child-agent.ts";

/** Progress of a sub-agent. */
export interface ChildProgress {
  calls: number;
  /** The calls that were not made, because they need approval and no person could be asked. */
  unapproved: number;
  tokens: number;
  /** The tool it called last. */
  activity?: string;
}

/**
 * Runs a sub-agent to its end, and logs its events and its report in the parent's session. Never rejects: errors are in
 * the report.
 */
export async function followChild(
  child: ChildAgent,
  record: AgentRecord,
  { log, redactor, progress, signal }: FollowOptions,
): Promise<AgentRecord> {
  const startedMs = performance.now();
  const forwarding = Promise.allSettled([forwardEvents(child, record.id, { log, progress })]);
  const [outcome] = await Promise.allSettled([child.run(signal)]);
  const [closing] = await Promise.allSettled([child.close()]);
  await forwarding;
  // The report is stored from here on, so its secrets are masked first.
  const report = redactor.value(reportOf(record, { outcome, closing, progress })) as AgentReport;
  const durationMs = Math.round(performance.now() - startedMs);
  log.note({ type: "subagent-end", durationMs, ...toEventFields(report) });
  return { ...record, status: statusOf(report), endedAt: isoTime(), report };
}

export interface FollowOptions {
  readonly log: SessionLog;
  readonly redactor: Redactor;
  readonly progress: ChildProgress;
  readonly signal: AbortSignal;
}

async function forwardEvents(
  child: ChildAgent,
  subagentId: string,
  { log, progress }: Pick<FollowOptions, "log" | "progress">,
): Promise<void> {
  for await (const event of child.events()) {
    if (event.type === "call-start") progress.activity = event.tool;
    if (event.type === "call-end") progress.calls += 1;
    if (event.type === "call-end" && event.receipt.code === "approval-needed") progress.unapproved += 1;
    if (event.type === "assistant-message" && event.usage !== undefined)
      progress.tokens += event.usage.inputTokens + event.usage.outputTokens;
    log.note({ type: "subagent-event", subagentId, event });
  }
}

function reportOf(
  { id, sessionId, title, branch }: AgentRecord,
  {
    outcome,
    closing,
    progress: { calls, unapproved, tokens },
  }: {
    outcome: PromiseSettledResult<AgentResult>;
    closing: PromiseSettledResult<AgentReport["work"]>;
    progress: ChildProgress;
  },
): AgentReport {
  const work = closing.status === "fulfilled" ? closing.value : undefined;
  const problems = [outcome, closing].flatMap((each) =>
    each.status === "rejected" ? [describeThrown(each.reason)] : [],
  );
  const { text, steps, reason, error } = outcome.status === "fulfilled" ? outcome.value : nothingDone;
  const problem = problems.length > 0 ? problems.join("; ") : error?.message;
  return {
    ...{ id, sessionId, title },
    reason: problems.length > 0 ? "failed" : reason,
    ...{ text, steps, calls, tokens },
    ...defined({ branch, problem, unapproved: unapproved || undefined, work }),
  };
}

const nothingDone: Pick<AgentResult, "text" | "steps" | "reason" | "error"> = {
  text: "",
  steps: 0,
  reason: "failed",
};

function statusOf({ reason }: AgentReport): TaskStatus {
  if (reason === "interrupted") return "cancelled";
  return reason === "failed" || reason === "refused" ? "failed" : "done";
}
