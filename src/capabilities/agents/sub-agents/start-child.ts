import { isoTime } from "../../../shared/iso-time.ts";
import { defined } from "../../../shared/options/defined.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import type { AgentMode, AgentReport, AgentTask, StartedAgent } from "../../../tool/services/agents.ts";
import type { Parent } from "../host/agent-runtime-parts.ts";
import { type AgentRecord, toEventFields } from "./agent-record.ts";
import type { AgentRoster } from "./agent-roster.ts";
import type { ChildAgent, SubAgentsParts } from "./child-agent.ts";
import { type ChildProgress, followChild } from "./follow-child.ts";

/** A sub-agent to start: its task, and the call that spawns it. */
export interface Order {
  readonly id: string;
  readonly task: AgentTask;
  readonly mode: AgentMode;
  readonly parent: Parent;
  /** The record of the agent that goes on. */
  readonly known?: AgentRecord | undefined;
}

interface StartChildOptions extends SubAgentsParts {
  readonly roster: AgentRoster;
  /** Throws if the session is closed. */
  readonly checkOpen: () => void;
}

/** A running sub-agent. */
export interface RunningAgent {
  readonly started: StartedAgent;
  readonly mode: AgentMode;
  /** Never rejects; the roster is updated first. */
  readonly ended: Promise<AgentReport>;
  stop(): void;
}

/** Prepares a sub-agent and starts it; it is recorded before it does anything. */
export async function startChild(order: Order, options: StartChildOptions): Promise<RunningAgent> {
  const { maker, redactor, checkOpen } = options;
  const { id, task, mode, parent, known } = order;
  // Masked before it is shortened: half a secret would not be recognised.
  const given = redactor.text(task.title ?? "").trim();
  const title = oneLine(given || redactor.text(task.prompt), maxTitleCharacters);
  const child = await maker.open({
    id,
    title,
    task,
    parent,
    isAwaited: mode !== "background",
    sessionId: known?.sessionId,
  });
  try {
    // The session may have closed while the sub-agent was prepared.
    checkOpen();
    parent.signal.throwIfAborted();
    return await begin(child, { ...order, title }, options);
  } catch (error) {
    await child.close().catch(() => {});
    throw error;
  }
}

const maxTitleCharacters = 80;

async function begin(
  child: ChildAgent,
  { id, title, task, mode, parent: { callId, signal } }: Order & { readonly title: string },
  { log, redactor, roster, ownProcess }: StartChildOptions,
): Promise<RunningAgent> {
  const { sessionId, branch, worktree } = child;
  const started: StartedAgent = { id, sessionId, title, ...defined({ branch }) };
  const kind = defined({ kind: task.kind });
  const record: AgentRecord = {
    ...started,
    mode,
    ...kind,
    status: "in_progress",
    startedAt: isoTime(),
    process: await ownProcess(),
    ...defined({ worktree }),
  };
  const progress: ChildProgress = { calls: 0, unapproved: 0, tokens: 0 };
  roster.note(record, progress);
  try {
    await log.append([{ type: "subagent-start", callId, mode, ...kind, ...toEventFields(started) }]);
  } catch (error) {
    roster.note({ ...record, status: "failed", endedAt: isoTime() });
    throw error;
  }
  await child.settle();
  const ending = new AbortController();
  const isBackground = mode === "background";
  const ended = followChild(child, record, {
    log,
    redactor,
    progress,
    // A background sub-agent outlives the call.
    signal: isBackground ? ending.signal : AbortSignal.any([signal, ending.signal]),
  }).then((final) => {
    roster.note(isBackground ? { ...final, isNews: true } : final, progress);
    return final.report!;
  });
  return { started, mode, ended, stop: () => ending.abort(new Error("the agent was stopped")) };
}
