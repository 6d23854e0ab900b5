import { randomUUID } from "node:crypto";
import type { SessionLog } from "../../runtime/sessions/session-log.ts";
import { Deadline } from "../../shared/deadline.ts";
import { isoTime } from "../../shared/iso-time.ts";
import { createLock } from "../../shared/lock.ts";
import { oneLine } from "../../shared/one-line.ts";
import { isRunning, ownIdentity } from "../../shared/process-identity.ts";
import type { Redactor } from "../../shared/redact.ts";
import type { AgentReport, Agents, AgentTask, StartedAgent } from "../../tool/agents.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { type AgentMode, type AgentRecord, readRecords, toKept, toTold } from "./agent-record.ts";
import type { ChildAgent, ChildMaker } from "./child-agent.ts";
import { describeNews } from "./describe-news.ts";
import { type ChildProgress, followChild } from "./follow-child.ts";

/** The agents that were sent off from a session. */
export interface SubAgents<Sender> {
  /** For one call of the agent that sends them off. */
  forCall(sender: Sender, use: { readonly callId: string; readonly signal: AbortSignal }): Agents;
  /** As far as this process knows. */
  list(): readonly ListedAgent[];
  /** Learns what other processes that have the session open have done, and finds those whose process is gone. */
  refresh(): Promise<void>;
  /** Stops one, and returns when it has ended. */
  cancel(id: string): Promise<void>;
  /** How those in the background ended of which the model does not know yet, in words for it. */
  takeNews(): readonly string[];
  /** Waits until there are news; false where nothing is to be waited for. */
  untilNews(signal: AbortSignal): Promise<boolean>;
  /** Stops all of them. */
  close(): Promise<void>;
}

/** One of them, and how far it is. */
export interface ListedAgent extends AgentRecord {
  readonly progress: Readonly<ChildProgress>;
}

export interface SubAgentsOptions<Sender> {
  readonly maker: ChildMaker<Sender>;
  readonly log: SessionLog;
  readonly redactor: Redactor;
  /** What is kept of all of them, also by other processes. */
  readonly read: () => Promise<ReadonlyMap<string, unknown>>;
  readonly keep: (record: AgentRecord) => void;
  readonly maxRunning: number;
}

export async function openSubAgents<Sender>(options: SubAgentsOptions<Sender>): Promise<SubAgents<Sender>> {
  const { maker, log, redactor, read, keep, maxRunning } = options;
  const all = new Map<string, ListedAgent>();
  const running = new Map<string, RunningAgent>();
  let onNews = Promise.withResolvers<void>();
  let isClosed = false;
  /** What this process has said of them itself is newer than what it could read. */
  const noted = new Set<string>();

  const note = (record: AgentRecord, progress: ChildProgress = noProgress): void => {
    const kept = toKept(record);
    noted.add(record.id);
    all.set(record.id, { ...kept, progress });
    keep(kept);
  };

  const sendOff = async (order: Order<Sender>): Promise<RunningAgent> => {
    if (isClosed) throw sessionClosed();
    if (running.size + opening.size >= maxRunning) throw tooMany(maxRunning);
    const id = freeId(all);
    const agent = open(id, order);
    opening.set(id, agent);
    try {
      return await agent;
    } finally {
      opening.delete(id);
    }
  };
  const opening = new Map<string, Promise<RunningAgent>>();

  const open = async (id: string, order: Order<Sender>): Promise<RunningAgent> => {
    const { task, mode, sender, signal } = order;
    // Masked before it is cut: of half a secret it is not seen that it is one.
    const title = titleOf({ prompt: redactor.text(task.prompt), title: redactor.text(task.title ?? "") });
    const child = await maker.open({ id, title, task, sender, isAwaited: mode !== "background" });
    try {
      // Making it ready takes a while.
      if (isClosed) throw sessionClosed();
      signal.throwIfAborted();
      return await begin(child, { ...order, id, title });
    } catch (error) {
      await child.close().catch(() => {});
      throw error;
    }
  };

  const begin = async (
    child: ChildAgent,
    { id, title, task, mode, callId, signal }: Order<Sender> & { id: string; title: string },
  ): Promise<RunningAgent> => {
    const { sessionId, branch, worktree } = child;
    const started: StartedAgent = { id, sessionId, title, ...(branch !== undefined && { branch }) };
    const kind = task.kind === undefined ? {} : { kind: task.kind };
    const record: AgentRecord = {
      ...started,
      mode,
      ...kind,
      status: "in_progress",
      startedAt: isoTime(),
      process: await ownIdentity(),
      ...(worktree !== undefined && { worktree }),
    };
    const progress: ChildProgress = { calls: 0, tokens: 0 };
    note(record, progress);
    try {
      await log.append([{ type: "subagent_start", callId, mode, ...kind, ...toTold(started) }]);
    } catch (error) {
      note({ ...record, status: "failed", endedAt: isoTime() });
      throw error;
    }
    const ending = new AbortController();
    const ended = followChild(child, record, {
      log,
      redactor,
      progress,
      // One in the background outlives the call.
      signal: mode === "background" ? ending.signal : AbortSignal.any([signal, ending.signal]),
    }).then((final) => {
      running.delete(id);
      const isNews = mode === "background";
      note({ ...final, ...(isNews && { isNews }) }, progress);
      // Also where there are none: whoever waits has one less to wait for.
      onNews.resolve();
      onNews = Promise.withResolvers();
      return final.report!;
    });
    const agent = { started, mode, ended, stop: () => ending.abort(new Error("the agent was stopped")) };
    running.set(id, agent);
    return agent;
  };

  const inTurn = createLock();
  const refresh = () =>
    inTurn(async () => {
      for (const record of readRecords(await read())) {
        if (noted.has(record.id)) forgetTold(record);
        else await learn(record);
      }
    });

  async function learn(record: AgentRecord): Promise<void> {
    all.set(record.id, { ...record, progress: progressOf(record) });
    if (record.status === "in_progress" && !(await isRunning(record.process))) await endLost(record);
  }

  /** The agent of another process has told it. */
  function forgetTold({ id, status, isNews: isStillNews }: AgentRecord): void {
    const { isNews, ...known } = all.get(id)!;
    if (isNews && status !== "in_progress" && !isStillNews) all.set(id, known);
  }

  /** Its process is gone, and it with it; what it left in a worktree is not lost. */
  async function endLost(record: AgentRecord): Promise<void> {
    const { id, sessionId, title } = record;
    let problem = "its process ended before it did";
    const work = await maker.salvage(record).catch((error: Error) => {
      problem += `; ${error.message}`;
      return undefined;
    });
    const report: AgentReport = {
      ...{ id, sessionId, title, problem, reason: "failed", text: "", steps: 0, calls: 0, tokens: 0 },
      ...(work && { work }),
    };
    log.note({ type: "subagent_end", durationMs: 0, ...toTold(report) });
    note({ ...record, status: "failed", endedAt: isoTime(), report, isNews: record.mode === "background" });
  }

  await refresh();
  const untold = () => [...all.values()].filter(({ isNews }) => isNews);

  return {
    forCall: (sender, { callId, signal }) => ({
      async run(task) {
        const mode = task.worktree === undefined ? "sync" : "worktree";
        const agent = await sendOff({ task, mode, callId, sender, signal });
        return agent.ended;
      },
      async start(task) {
        const agent = await sendOff({ task, mode: "background", callId, sender, signal });
        return agent.started;
      },
    }),
    list: () => [...all.values()],
    refresh,
    async cancel(id) {
      const agent = running.get(id);
      if (agent === undefined) throw notRunning(id, all.get(id));
      agent.stop();
      await agent.ended;
    },
    takeNews: () =>
      untold().map(({ progress, isNews: _, ...record }) => {
        note(record, progress);
        return describeNews(record);
      }),
    async untilNews(signal) {
      for (;;) {
        if (untold().length > 0) return true;
        const isExpected = [...running.values()].some(({ mode }) => mode === "background");
        if (!isExpected || signal.aborted) return false;
        const waiting = new Deadline(signal);
        await waiting.race(onNews.promise).catch(() => {});
        waiting.close();
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(opening.values());
      for (const agent of running.values()) agent.stop();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

interface Order<Sender> {
  readonly task: AgentTask;
  readonly mode: AgentMode;
  readonly callId: string;
  readonly sender: Sender;
  /** Of the call. */
  readonly signal: AbortSignal;
}

interface RunningAgent {
  readonly started: StartedAgent;
  readonly mode: AgentMode;
  readonly ended: Promise<AgentReport>;
  stop(): void;
}

const noProgress: ChildProgress = { calls: 0, tokens: 0 };

function progressOf({ report }: AgentRecord): ChildProgress {
  return report === undefined ? noProgress : { calls: report.calls, tokens: report.tokens };
}

/** Random and not counted: another process that has the session open may send one off at the same moment. */
function freeId(taken: ReadonlyMap<string, unknown>): string {
  const id = `agent_${randomUUID().slice(0, 6)}`;
  return taken.has(id) ? freeId(taken) : id;
}

const maxTitleCharacters = 80;

function titleOf({ title, prompt }: AgentTask): string {
  return oneLine(title?.trim() || prompt, maxTitleCharacters);
}

function sessionClosed(): ToolError {
  return new ToolError("session-closed", "the session is closed");
}

function tooMany(maxRunning: number): ToolError {
  return new ToolError("conflict", `${maxRunning} agents are at work already, and no more may be`, {
    hint: "Wait for one of them to end, or do this yourself.",
    retryable: true,
  });
}

function notRunning(id: string, record: AgentRecord | undefined): ToolError {
  if (record === undefined) return new ToolError("not-found", `there is no agent ${JSON.stringify(id)}`);
  if (record.status !== "in_progress") return new ToolError("conflict", `agent ${id} has ended already`);
  return new ToolError("conflict", `agent ${id} works in another process, ${record.process.pid}`);
}
