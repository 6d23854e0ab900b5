import type { SessionLog } from "../../../kernel/session/index.ts";
import { isoTime } from "../../../shared/iso-time.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
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
  const forwarding = forwardEvents(child, record.id, { log, progress });
  const outcome = await settle(child.run(signal));
  const closing = await settle(child.close());
  await settle(forwarding);
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

type Settled<Value> = { readonly value: Value } | { readonly problem: string };

async function settle<Value>(promise: Promise<Value>): Promise<Settled<Value>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function reportOf(
  { id, sessionId, title, branch }: AgentRecord,
  {
    outcome,
    closing,
    progress: { calls, unapproved, tokens },
  }: {
    outcome: Settled<AgentResult>;
    closing: Settled<AgentReport["work"]>;
    progress: ChildProgress;
  },
): AgentReport {
  const work = "value" in closing ? closing.value : undefined;
  const failed = "problem" in outcome ? outcome.problem : undefined;
  const unclosed = "problem" in closing ? closing.problem : undefined;
  const problems = [failed, unclosed].filter((problem) => problem !== undefined);
  const { text, steps, reason, error } = "value" in outcome ? outcome.value : nothingDone;
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
