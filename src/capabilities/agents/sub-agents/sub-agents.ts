import { randomUUID } from "../../../shared/crypto.ts";
import { Deadline } from "../../../shared/deadline.ts";
import { defined } from "../../../shared/options/defined.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import type { Agents, AgentTask } from "../../../tool/services/agents.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Parent } from "../host/agent-runtime-parts.ts";
import { type AgentRecord, describeFinishedAgent, toWork } from "./agent-record.ts";
import { type AgentRoster, createAgentRoster, type ListedAgent } from "./agent-roster.ts";
import type { SubAgentsParts } from "./child-agent.ts";
import { openLostAgents } from "./lost-agents.ts";
import { type Order, type RunningAgent, startChild } from "./start-child.ts";

/** The sub-agents of a session, with their progress. */
export interface SubAgentList {
  /** The sub-agents that this process knows of. */
  list(): readonly ListedAgent[];
  /** Stops a sub-agent and waits until it has ended. */
  cancel(id: string): Promise<void>;
}

export type SubAgents = Awaited<ReturnType<typeof openSubAgents>>;

export async function openSubAgents(parts: SubAgentsParts) {
  const { maxRunning } = parts;
  const roster = createAgentRoster(parts.records);
  const opening = new Map<string, Promise<RunningAgent>>();
  const running = new Map<string, RunningAgent>();
  let onEnd = Promise.withResolvers<void>();
  const closing = new AbortController();

  const checkOpen = () => {
    if (closing.signal.aborted) throw new ToolError("session-closed", "the session is closed");
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
        { hint: "Spawn another agent for the rest of the work." },
      );
    return record;
  };

  const spawnAgent = async (order: Omit<Order, "id">): Promise<RunningAgent> => {
    checkOpen();
    if (running.size + opening.size >= maxRunning) throw tooMany(maxRunning);
    const { continues } = order.task;
    const known = continues === undefined ? undefined : findEnded(continues);
    const id = known?.id ?? freeId(roster);
    // It stays the kind of agent that it was.
    const task = known === undefined ? order.task : asKind(order.task, known.kind);
    const starting = startChild({ ...order, task, id, known }, { ...parts, roster, checkOpen });
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

  const { refresh, untilIdle } = await openLostAgents(parts, roster, closing.signal);

  const cancel = async (id: string): Promise<void> => {
    const agent = running.get(id);
    if (agent === undefined) throw notRunning(id, roster.find(id));
    agent.stop();
    await agent.ended;
  };

  return {
    /** The agents service for one call, of an agent or of any other caller. */
    forCall: (parent: Parent): Agents => ({
      async run(task) {
        const mode = task.worktree === undefined ? "sync" : "worktree";
        const agent = await spawnAgent({ task, mode, parent });
        return agent.ended;
      },
      async start(task) {
        const agent = await spawnAgent({ task, mode: "background", parent });
        return agent.started;
      },
    }),
    list: roster.list,
    refresh,
    cancel,
    /** Running sub-agents and all background ones, for the list of background work. */
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
    /** The ends of background sub-agents that the model does not know yet, in words for it. */
    takeNews: () => roster.takeNews().map(describeFinishedAgent),
    /** Waits until there is news; false if no background sub-agent is running. */
    async untilNews(signal: AbortSignal) {
      for (;;) {
        if (roster.hasNews) return true;
        const isExpected = [...running.values()].some(({ mode }) => mode === "background");
        if (!isExpected || signal.aborted) return false;
        const waiting = new Deadline(signal);
        await waiting.race(onEnd.promise).catch(() => {});
        waiting.close();
      }
    },
    /** Stops all sub-agents. */
    async close() {
      closing.abort(new Error("the session was closed"));
      await untilIdle();
      await Promise.allSettled(opening.values());
      for (const agent of running.values()) agent.stop();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

function asKind({ kind: _asked, ...task }: AgentTask, kind: string | undefined): AgentTask {
  return { ...task, ...defined({ kind }) };
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
