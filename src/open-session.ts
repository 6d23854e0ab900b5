import { setMaxListeners } from "node:events";
import type { AgentHost } from "./agent/agent-host.ts";
import { createAgentHosts } from "./agent/agent-hosts.ts";
import type { AgentRights } from "./agent/agent-rights.ts";
import type { ParentSession } from "./agent/sub-agents/child-session.ts";
import { openSessionAgents } from "./agent/sub-agents/session-agents.ts";
import type { SubAgents } from "./agent/sub-agents/sub-agents.ts";
import { createEnvironment, openFreshness, type SessionParts } from "./create-environment.ts";
import { createInterop, type Interop } from "./interop/create-interop.ts";
import type { LoggedEvent } from "./runtime/events/session-event.ts";
import type { CallEnvironment, CallRequest, CallResult } from "./runtime/pipeline/call.ts";
import { callAll } from "./runtime/pipeline/call-all.ts";
import { explainCall } from "./runtime/pipeline/explain-call.ts";
import { runCall } from "./runtime/pipeline/run-call.ts";
import { undoCall } from "./runtime/pipeline/undo/undo-call.ts";
import type { Approvals } from "./runtime/policy/approvals/approvals.ts";
import type { Mode } from "./runtime/policy/decide.ts";
import type { Verdict } from "./runtime/policy/verdict.ts";
import { watchFiles } from "./runtime/services/files/watch-files.ts";
import { openProcesses } from "./runtime/services/processes/open-processes.ts";
import { type SessionJobs, sessionJobs } from "./runtime/services/processes/session-jobs.ts";
import { openSearch } from "./runtime/services/search/open-search.ts";
import type { SkillCatalogue } from "./runtime/services/skills/skill-catalogue.ts";
import {
  agentsAsWork,
  jobsAsWork,
  openTasks,
  type SessionTodos,
} from "./runtime/services/tasks/session-tasks.ts";
import { type Budget, type BudgetLimits, createBudget } from "./runtime/sessions/budget.ts";
import { type EventQuery, streamEvents } from "./runtime/sessions/event-stream.ts";
import { createOpenCalls } from "./runtime/sessions/open-calls.ts";
import { createSessionLog, type SessionLog } from "./runtime/sessions/session-log.ts";
import { beginRun } from "./runtime/sessions/session-run.ts";
import { trackReads } from "./runtime/sessions/tracked-reads.ts";
import { openTools, type ToolChoice, toolChoice } from "./runtime/tool-search/open-tools.ts";
import { checkMode } from "./runtime-options.ts";
import { relativeInside } from "./shared/relative-inside.ts";
import type { Caller } from "./tool/caller.ts";
import type { Tasks } from "./tool/services/tasks.ts";
import type { Variables } from "./tool/tool-context.ts";

export interface SessionOptions {
  /** Resumes the session of this id where there is one. */
  readonly id?: string;
  /** Sessions that name the same task share its variables. */
  readonly taskId?: string;
  readonly caller?: Caller;
  readonly mode?: Mode;
  readonly budget?: BudgetLimits;
  /** Notes in the log (`file_changed`) when a file that the session has read changes without its doing. */
  readonly watchFiles?: boolean;
  /** Reminds of what is left to do, in the log and an agent's model, after so many calls without a change to it; 0 never. */
  readonly remindEveryCalls?: number;
}

export type NamedSessionOptions = SessionOptions & { readonly id: string };

export type CallOptions = Pick<
  CallRequest,
  "id" | "signal" | "timeoutMs" | "onProgress" | "onLog" | "caller" | "onApproval" | "onQuestion"
>;

export type UndoOptions = Pick<CallRequest, "id" | "signal" | "caller">;

export interface Session extends Interop, ToolChoice {
  readonly id: string;
  readonly resumed: boolean;
  readonly variables: Variables;
  readonly taskVariables: Variables;
  readonly budget: Pick<Budget, "limits" | "used">;
  readonly approvals: Pick<Approvals, "list" | "decide">;
  /** Calls a tool. Never rejects: whatever goes wrong is told in the result. */
  call(name: string, input?: unknown, options?: CallOptions): Promise<CallResult>;
  /** Calls several tools, together where they are safe beside each other; results in the order of the calls. */
  callAll(calls: readonly CallRequest[]): Promise<CallResult[]>;
  /** The verdict a call would get and why, without running it. Rejects when there is no such tool or the input is invalid. */
  explain(name: string, input?: unknown): Promise<Verdict>;
  /** What a call would change, as a diff where files are concerned; nothing is changed. */
  dryRun(name: string, input?: unknown, options?: CallOptions): Promise<CallResult>;
  /** Takes back what a call did, unless something has changed since. */
  undo(callId: string, options?: UndoOptions): Promise<CallResult>;
  /** Does again what was undone. */
  redo(callId: string, options?: UndoOptions): Promise<CallResult>;
  /** The commands that run in the background. */
  readonly jobs: SessionJobs;
  /** The agents that were sent off from it, and how far they are. */
  readonly agents: Pick<SubAgents<unknown>, "list" | "cancel">;
  /** What is to be done; every change is told in the events (`todo_changed`). */
  readonly tasks: Tasks;
  /** The same list as a whole. */
  readonly todos: SessionTodos;
  /** The skills of the workspace as they are now, and those that cannot be used. */
  readonly skills: Pick<SkillCatalogue, "list" | "problems">;
  /** The number of the last event so far, to see what comes after it. */
  bookmark(): Promise<number>;
  /** What happened since a bookmark, then what happens, until the session closes. */
  events(query?: EventQuery): AsyncGenerator<LoggedEvent, void, void>;
  /** Cancels the calls that run, waits for them, and ends the event streams. */
  close(): Promise<void>;
  readonly closed: Promise<void>;
  /** False as soon as closing has begun. */
  readonly isOpen: boolean;
}

/** With what is not for everybody. */
export interface OpenedSession extends Session {
  /** For an agent that may use all tools, or only some. */
  agentHost(rights: AgentRights): Promise<AgentHost>;
}

export async function openSession(
  parts: SessionParts,
  options: NamedSessionOptions,
  parent?: ParentSession,
): Promise<OpenedSession> {
  const { store, workspace, view } = parts;
  const { id } = options;
  checkSessionId(id);
  const mode = options.mode ?? parts.options.permissions?.mode ?? "ask";
  checkMode(mode);
  const budget = createBudget(options.budget ?? (parent ? {} : parts.options.budget), parent?.budget);

  const { taskId: givenTask } = options;
  const { taskId, resumed } = await store.openSession({
    id,
    workspace: workspace.root,
    ...(givenTask !== undefined && { taskId: givenTask }),
    ...(parent?.record && { parent: parent.record }),
  });
  if (givenTask !== undefined && givenTask !== taskId) {
    throw new TypeError(`session ${id} belongs to task ${taskId} and cannot change to ${givenTask}`);
  }
  const log = createSessionLog(store, id);
  const run = await beginRun(store, id, log);
  const openCalls = createOpenCalls();
  const search = openSearch({ workspace, hiddenFolders: [parts.stateFolder] });
  const reads = trackReads(store);
  const ending = new AbortController();
  // However many streams there are, each listens for the session's end.
  setMaxListeners(0, ending.signal);
  const closed = Promise.withResolvers<void>();

  const [freshness, processes] = await Promise.all([
    openFreshness(parts, id, log),
    openProcesses(parts, { id, run, log }),
    parts.skills.list(),
    parts.templates.list(),
  ]);
  const { remindEveryCalls = defaultRemindEveryCalls } = options;
  const subAgents = await openSessionAgents(parts, {
    id,
    taskId,
    mode,
    log,
    parent,
    link: () => ({ budget, approvals: environment.approvals }),
  });
  const background = [jobsAsWork(processes), agentsAsWork(subAgents)];
  const { tasks, todos, reminder } = await openTasks(parts, { id, log, background, remindEveryCalls });
  const tools = await openTools(parts, { id, log, session: () => environment.session });
  const environment: CallEnvironment = await createEnvironment(parts, {
    ...options,
    taskId,
    mode,
    budget,
    log: withCallCount(log, reminder.onCall),
    run,
    openCalls,
    search,
    freshness,
    processes,
    tools,
    tasks,
    todos,
    agents: (use) => subAgents.forCall(use, use),
    parent,
  });
  await log.append([{ type: "session-opened", resumed, workspace: workspace.root }]);

  const watch = options.watchFiles
    ? await watchFiles(workspace.root, {
        freshness,
        onChange: (path, kind) =>
          log.note({ type: "file_changed", path: relativeInside(workspace.root, path) ?? path, kind }),
      })
    : undefined;

  const interop = createInterop({
    list: () => view.list(environment.session),
    listActive: (only) => tools.active(only).map((entry) => view.present(entry, environment.session)),
    find: (name) => {
      const entry = view.resolve(name)?.entry;
      if (entry === undefined) return undefined;
      const { concurrencySafe } = entry.tool.traits;
      return { tool: view.present(entry, environment.session), isConcurrencySafe: concurrencySafe };
    },
    callAll: (calls) => callAll(environment, calls),
  });

  const agentHost = createAgentHosts(parts, {
    id,
    log,
    openCalls,
    environment,
    tools,
    reminder,
    subAgents,
  });

  return {
    id,
    resumed,
    agentHost,
    variables: environment.variables,
    taskVariables: environment.taskVariables,
    budget,
    approvals: environment.approvals,
    jobs: sessionJobs(processes),
    agents: { list: subAgents.list, cancel: subAgents.cancel },
    tasks,
    todos,
    skills: { list: parts.skills.list, problems: parts.skills.problems },
    call: (name, input, callOptions = {}) => runCall(environment, { ...callOptions, name, input }),
    callAll: (calls) => callAll(environment, calls),
    explain: (name, input) => explainCall(environment, { name, input }),
    dryRun: (name, input, callOptions = {}) =>
      runCall(environment, { ...callOptions, name, input, isDryRun: true }),
    undo: (callId, callOptions = {}) => undoCall(environment, { ...callOptions, callId, direction: "undo" }),
    redo: (callId, callOptions = {}) => undoCall(environment, { ...callOptions, callId, direction: "redo" }),
    ...interop,
    ...toolChoice(tools, view),
    bookmark: () => store.readLastSequence(id),
    events: ({ signal, ...query } = {}) =>
      streamEvents(reads.store, id, {
        ...query,
        signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
      }),
    closed: closed.promise,
    get isOpen() {
      return !openCalls.isClosed;
    },
    async close() {
      if (openCalls.isClosed) return closed.promise;
      try {
        // Closed from here on, before anything is waited for: whoever closes it again waits for this one.
        const cancelled = openCalls.cancelAll(new Error("the session was closed"));
        await watch?.close();
        await cancelled;
        await subAgents.close();
        await processes.close();
        run.end();
        await log.append([{ type: "session-closed" }]);
        await store.closeSession(id);
      } finally {
        await search.close();
        ending.abort();
        // The streams end with what happened last, before the store may go.
        await reads.settled();
        closed.resolve();
      }
    },
  };
}

const defaultRemindEveryCalls = 10;

function withCallCount(log: SessionLog, onCall: () => void): SessionLog {
  return {
    ...log,
    finish(event) {
      onCall();
      return log.finish(event);
    },
  };
}

function checkSessionId(id: string): void {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(id)) {
    throw new TypeError(
      `a session's id must be 1 to 128 letters, digits, ".", "_" or "-"; received ${JSON.stringify(id)}`,
    );
  }
}
