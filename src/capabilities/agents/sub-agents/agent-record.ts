import type { KeptKind, ProcessLife } from "../../../kernel/store/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { defined } from "../../../shared/options/defined.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { cutMiddle } from "../../../shared/text/cut-middle.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import type { AgentMode, AgentReport, StartedAgent } from "../../../tool/services/agents.ts";
import { describeReport } from "../../../tool/services/describe-report.ts";
import { type BackgroundWork, maxTitleCharacters, type TaskStatus } from "../../../tool/services/tasks.ts";

/** The record of a sub-agent; stored with the parent's session. */
export interface AgentRecord extends StartedAgent {
  readonly kind?: string;
  readonly mode: AgentMode;
  readonly status: TaskStatus;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The process that it works or worked in. */
  readonly process: ProcessLife;
  /** Data for finishing its worktree if its process ends first. */
  readonly worktree?: unknown;
  readonly report?: AgentReport;
  /** Its parent does not know yet how it ended. */
  readonly isNews?: boolean;
}

// The limits of a tool's output and of an error's message.
const textBounds = { maxCharacters: 30_000, headShare: 0.8 };
const problemBounds = { maxCharacters: 2000, headShare: 0.5 };

/** The record as it is stored, shortened for memory and for every opening of the session; the full text is in the log. */
export function toKept(record: AgentRecord): AgentRecord {
  const { report } = record;
  if (report === undefined) return record;
  const { text, problem } = report;
  return {
    ...record,
    report: {
      ...report,
      text: cutMiddle(text, textBounds).text,
      ...defined({ problem: problem && cutMiddle(problem, problemBounds).text }),
    },
  };
}

/** The records of a session's sub-agents, by their ids. */
export const agentRecords: KeptKind<AgentRecord> = { scope: "agents", isValue: isRecord };

export function byStart({ startedAt: one }: AgentRecord, { startedAt: other }: AgentRecord): number {
  return one < other ? -1 : Number(one > other);
}

function isRecord(value: unknown): value is AgentRecord {
  return isPlainObject(value) && typeof value.id === "string" && isPlainObject(value.process);
}

/** The fields of a sub-agent under the names that events use. */
export function toEventFields<Known extends StartedAgent>({ id, sessionId, ...known }: Known) {
  return { subagentId: id, childSessionId: sessionId, ...known };
}

export function toWork({ id, title, status, startedAt, endedAt, report }: AgentRecord): BackgroundWork {
  return {
    kind: "agent",
    id,
    title,
    status,
    startedAt,
    ...defined({ endedAt, note: report && noteOf(report) }),
  };
}

// Enough for callers that get no reminder, such as MCP clients, and read the agent's text here.
const maxSaidCharacters = 500;

function noteOf({ problem, reason, steps, text }: AgentReport): string {
  const end = problem ?? `${reason} after ${countOf(steps, "step")}`;
  return text.trim() === "" ? end : `${end}; it said: ${oneLine(text, maxSaidCharacters)}`;
}

/** Tells the parent's model how a background sub-agent ended. */
export function describeFinishedAgent({ id, title, report, status }: AgentRecord): string {
  const { problem } = report ?? {};
  return [
    `Agent ${id} has ended: ${status}.`,
    `Task: ${oneLine(title, maxTitleCharacters)}`,
    // A provider's words, which may be anything.
    ...(problem === undefined ? [] : [`Problem: ${oneLine(problem, problemBounds.maxCharacters)}`]),
    ...(report === undefined ? [] : [describeReport(report)]),
  ].join("\n");
}
