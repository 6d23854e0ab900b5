import type { BackgroundSource } from "../../../kernel/services/background.ts";
import type { ProcessLife } from "../../../kernel/store/process-life.ts";
import { randomUUID } from "../../../shared/crypto.ts";
import { Deadline } from "../../../shared/deadline.ts";
import { isoTime } from "../../../shared/iso-time.ts";
import { createLock } from "../../../shared/lock.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import type { AgentReport, Agents, AgentTask } from "../../../tool/services/agents.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type AgentRecord, describeFinishedAgent, toEventFields, toWork } from "./agent-record.ts";
import { type AgentRoster, createAgentRoster, type ListedAgent, type RosterStore } from "./agent-roster.ts";
import { type Order, type RunningAgent, type StartChildOptions, startChild } from "./start-child.ts";

/** The sub-agents of a session, with their progress. */
export interface SubAgentList {
  /** The sub-agents that this process knows of. */
  list(): readonly ListedAgent[];
  /** Stops a sub-agent and waits until it has ended. */
  cancel(id: string): Promise<void>;
}

export interface SubAgents<Parent> extends SubAgentList {
  /** For one call of their parent. */
  forCall(parent: Parent, use: { readonly callId: string; readonly signal: AbortSignal }): Agents;
  /** Running sub-agents and all background ones, for the list of background work. */
  readonly background: BackgroundSource;
  /** Reads what other processes with this session recorded, and ends sub-agents whose process is gone. */
  refresh(): Promise<void>;
  /** How background sub-agents ended, in words for the model, where it does not know yet. */
  takeNews(): readonly string[];
  /** Waits until there is news; false if no background sub-agent is running. */
  untilNews(signal: AbortSignal): Promise<boolean>;
  /** Stops all sub-agents. */
  close(): Promise<void>;
}

export interface SubAgentsParts<Parent>
  extends RosterStore,
    Pick<StartChildOptions<Parent>, "maker" | "log" | "redactor" | "ownProcess"> {
  readonly maxRunning: number;
  isAlive(process: ProcessLife): Promise<boolean>;
}

export async function openSubAgents<Parent>(parts: SubAgentsParts<Parent>): Promise<SubAgents<Parent>> {
  const { maker, log, maxRunning } = parts;
  const roster = createAgentRoster(parts);
  const opening = new Map<string, Promise<RunningAgent>>();
  const running = new Map<string, RunningAgent>();
  let onEnd = Promise.withResolvers<void>();
  let isClosed = false;

  const checkOpen = () => {
    if (isClosed) throw new ToolError("session-closed", "the session is closed");
  };

  /** An agent that can be told something again. */
  const findEnded = (id: string): AgentRecord => {
    const record = roster.find(id);
    if (record === undefined) throw new ToolError("not-found", `there is no agent ${JSON.stringify(id)}`);
    if (running.has(id) || opening.has(id) || record.status === "in_progress")
      throw new ToolError("conflict", `agent ${id} is still at work`, {
        hint: "Wait until it has ended, or spawn another.",
      });
    if (record.branch !== undefined)
      throw new ToolError(
        "unavailable",
        `agent ${id} had a worktree, which is gone; its work is on ${record.branch}`,
        {
          hint: "Spawn another agent for what is left to do.",
        },
      );
    return record;
  };

  const spawnAgent = async (order: Omit<Order<Parent>, "id">): Promise<RunningAgent> => {
    checkOpen();
    if (running.size + opening.size >= maxRunning) throw tooMany(maxRunning);
    const known = order.task.continues === undefined ? undefined : findEnded(order.task.continues);
    const id = known?.id ?? freeId(roster);
    // It stays the kind of agent that it was.
    const task = known === undefined ? order.task : asKind(order.task, known.kind);
    const starting = startChild(
      { ...order, task, id, ...(known && { known }) },
      { ...parts, roster, checkOpen },
    );
    opening.set(id, starting);
    try {
      const agent = await starting;
      running.set(id, agent);
      agent.ended.then(() => forget(id));
      return agent;
    } finally {
      opening.delete(id);
    }
  };

  /** Wakes waiters even without news, since they have one sub-agent fewer to wait for. */
  const forget = (id: string): void => {
    running.delete(id);
    onEnd.resolve();
    onEnd = Promise.withResolvers();
  };

  const inTurn = createLock();
  const closing = new AbortController();
  const refresh = () =>
    inTurn(async () => {
      for (const lost of await endLost(await roster.learn())) await salvage(lost);
    });

  const endLost = async (records: readonly AgentRecord[]): Promise<LostAgent[]> => {
    const lost: LostAgent[] = [];
    for (const record of records) {
      if (isClosed || (await parts.isAlive(record.process))) continue;
      const problem = await maker.endLost(record).then(() => undefined, messageOf);
      lost.push({ record, problem });
    }
    return lost;
  };

  /** The work in its worktree is kept. */
  const salvage = async ({ record, problem: unended }: LostAgent): Promise<void> => {
    const { work, problem } = await maker.salvage(record, closing.signal).then(
      (kept) => ({ work: kept, problem: undefined }),
      (error: unknown) => ({ work: undefined, problem: messageOf(error) }),
    );
    // The next process that opens the session takes care of it.
    if (closing.signal.aborted) return;
    const report = lostReport(record, { work, problems: [problem, unended] });
    log.note({ type: "subagent-end", durationMs: 0, ...toEventFields(report) });
    const isNews = record.mode === "background";
    roster.note({ ...record, status: "failed", endedAt: isoTime(), report, isNews });
  };

  const left = await endLost(await roster.learn());
  for (const lost of left.filter(({ record }) => record.worktree === undefined)) await salvage(lost);
  // This runs in the background: the folders that killed processes have left may be large, or made to take long.
  void inTurn(async () => {
    await maker.tidy();
    for (const lost of left.filter(({ record }) => record.worktree !== undefined)) await salvage(lost);
  }).catch(() => {});

  const cancel = async (id: string): Promise<void> => {
    const agent = running.get(id);
    if (agent === undefined) throw notRunning(id, roster.find(id));
    agent.stop();
    await agent.ended;
  };

  return {
    forCall: (parent, { callId, signal }) => ({
      async run(task) {
        const mode = task.worktree === undefined ? "sync" : "worktree";
        const agent = await spawnAgent({ task, mode, callId, parent, signal });
        return agent.ended;
      },
      async start(task) {
        const agent = await spawnAgent({ task, mode: "background", callId, parent, signal });
        return agent.started;
      },
    }),
    list: roster.list,
    refresh,
    cancel,
    background: {
      async list() {
        await refresh();
        return roster
          .list()
          .filter(({ mode, status }) => mode === "background" || status === "in_progress")
          .map(toWork);
      },
      cancel,
    },
    takeNews: () => roster.takeNews().map(describeFinishedAgent),
    async untilNews(signal) {
      for (;;) {
        if (roster.hasNews) return true;
        const isExpected = [...running.values()].some(({ mode }) => mode === "background");
        if (!isExpected || signal.aborted) return false;
        const waiting = new Deadline(signal);
        await waiting.race(onEnd.promise).catch(() => {});
        waiting.close();
      }
    },
    async close() {
      isClosed = true;
      closing.abort(new Error("the session was closed"));
      await inTurn(async () => {});
      await Promise.allSettled(opening.values());
      for (const agent of running.values()) agent.stop();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

function asKind({ kind: _asked, ...task }: AgentTask, kind: string | undefined): AgentTask {
  return { ...task, ...(kind !== undefined && { kind }) };
}

/** Random rather than counted: another process with this session may spawn one at the same moment. */
function freeId(roster: AgentRoster): string {
  const id = `agent_${randomUUID().slice(0, 6)}`;
  return roster.find(id) === undefined ? id : freeId(roster);
}

function tooMany(maxRunning: number): ToolError {
  const message = `the limit of ${countOf(maxRunning, "running agent")} is reached`;
  return new ToolError("conflict", message, {
    hint: "Wait for one to end, or do the work yourself.",
    retryable: true,
  });
}

function notRunning(id: string, record: AgentRecord | undefined): ToolError {
  if (record === undefined) return new ToolError("not-found", `no agent ${JSON.stringify(id)}`);
  if (record.status !== "in_progress") return new ToolError("conflict", `agent ${id} has already ended`);
  return new ToolError("conflict", `agent ${id} runs in another process (pid ${record.process.pid})`);
}

/** A sub-agent whose process is gone, and why its session could not be ended, if so. */
interface LostAgent {
  readonly record: AgentRecord;
  readonly problem: string | undefined;
}

function lostReport(
  { id, sessionId, title }: AgentRecord,
  { work, problems }: { work: AgentReport["work"] | undefined; problems: readonly (string | undefined)[] },
): AgentReport {
  const all = ["its process ended before it was done", ...problems];
  const problem = all.filter((each) => each !== undefined).join("; ");
  return {
    ...{ id, sessionId, title, problem, reason: "failed", text: "", steps: 0, calls: 0, tokens: 0 },
    ...(work && { work }),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
