import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { createAgentHosts } from "../../../capabilities/agents/host/agent-hosts.ts";
import type { AgentRuntimeParts } from "../../../capabilities/agents/host/agent-runtime-parts.ts";
import { openSessionAgents } from "../../../capabilities/agents/sub-agents/session-agents.ts";
import type { DatabaseAccess } from "../../../capabilities/databases/database-access.ts";
import type { DiagnosticsParts } from "../../../capabilities/diagnostics/open-diagnostics.ts";
import type { IntentLog } from "../../../capabilities/files/intents/intent-log.ts";
import type { Workspace } from "../../../capabilities/files/workspace.ts";
import { createInterop } from "../../../capabilities/interop/create-interop.ts";
import type { IsolatedTools } from "../../../capabilities/isolated/isolated-tools.ts";
import type { MadeTools } from "../../../capabilities/made/made-tools.ts";
import type { SharedSupplies } from "../../../capabilities/processes/command/shared-supplies.ts";
import type { SkillCatalogue } from "../../../capabilities/skills/skill-catalogue.ts";
import type { WebAccess } from "../../../capabilities/web/web-access.ts";
import { services } from "../../../capabilities.ts";
import type { Sandbox } from "../../../machine/sandbox/sandbox.ts";
import { createEventLoopYield } from "../../../shared/event-loop-yield.ts";
import type { Secrets } from "../../../shared/secrets/secret-sources.ts";
import type { StrayGuard } from "../../../shared/stray-rejections.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { notifyOfQuestion } from "../../call/asking/notify.ts";
import type { CallHost } from "../../call/call.ts";
import { callAll } from "../../call/call-all.ts";
import { explainCall } from "../../call/explain-call.ts";
import { askHooks, tellHooks } from "../../call/hooks/event-hooks.ts";
import type { HookChain } from "../../call/hooks/hooks.ts";
import { sessionInbox } from "../../call/inbox/session-inbox.ts";
import { createLoopWatch } from "../../call/loops/loop-watch.ts";
import { runCall } from "../../call/run-call.ts";
import { undoCall } from "../../call/undo/undo-call.ts";
import { createUndoStore } from "../../call/undo/undo-store.ts";
import { createApprovalRecords, removeLostApprovals } from "../../people/approval-records.ts";
import { createApprovals } from "../../people/approvals.ts";
import type { Grants } from "../../people/grants.ts";
import { createQuestionQueue, giveReply } from "../../people/question-queue.ts";
import { createQuestionRecords, removeLostQuestions } from "../../people/question-records.ts";
import type { Mode } from "../../policy/decide.ts";
import { whyNeverAllowed } from "../../policy/never-allowed.ts";
import { openPolicy, type PolicySource } from "../../policy/open-policy.ts";
import { checkMode, createSessionMode, type SessionMode } from "../../policy/session-mode.ts";
import type { RegisteredTool } from "../../registry/registry.ts";
import type { ChangeChecks } from "../../services/change-checks.ts";
import { closeServices, openServices, whyLacking } from "../../services/open-services.ts";
import { createAgentTurn } from "../../session/agent-turn.ts";
import {
  type BudgetLimits,
  checkBudget,
  createBudget,
  readSpending,
  withCanonicalTools,
} from "../../session/budget.ts";
import { readConversation } from "../../session/conversation/read-conversation.ts";
import { streamEvents } from "../../session/event-stream.ts";
import type { Inboxes } from "../../session/inbox/serve-inboxes.ts";
import { openKept } from "../../session/kept/kept.ts";
import { openGrants } from "../../session/kept/session-grants.ts";
import { createOpenCalls } from "../../session/open-calls.ts";
import { type OwnedSession, ownSession, releaseWrite, sessionLost } from "../../session/own-session.ts";
import { createProposalCount } from "../../session/proposal-count.ts";
import type { MetricsRecorder } from "../../session/runtime-metrics.ts";
import { createSessionLog, type SessionLog } from "../../session/session-log.ts";
import { beginRun, type FindEvidence } from "../../session/session-run.ts";
import { joinTaints, openTaint } from "../../session/session-taint.ts";
import { openSessionVariables, type TaskVariables } from "../../session/session-variables.ts";
import { createSessionView } from "../../session/session-view.ts";
import { trackReads } from "../../session/tracked-reads.ts";
import type { OutputFolder } from "../../store/output-folder.ts";
import { offerIn, openTools, toolChoice } from "../../tool-search/open-tools.ts";
import type { ToolAllowance } from "../../tool-search/session-tools.ts";
import type { ToolFilter } from "../../tool-search/tool-filter.ts";
import type { RuntimeDialects, SpokenDialect } from "../open-dialects.ts";
import type { ParentSession } from "../parent-session.ts";
import type { RuntimeOptions } from "../runtime-options.ts";
import type { CallOptions, OpenedSession, Session, SessionOptions } from "../session.ts";
import { alreadyThere, beginFork, checkFork, findForkSources } from "./session-fork.ts";
import { createConversation } from "./session-rewind.ts";

/** What all sessions of a runtime share. */
export interface SessionParts extends Omit<AgentRuntimeParts, "view" | "limitTools"> {
  readonly options: RuntimeOptions;
  readonly workspace: Workspace;
  readonly stateFolder: string;
  readonly outputs: OutputFolder;
  /** Where changes to files are written down before they are made. */
  readonly intents: IntentLog;
  /** What is known of a call that a dead process has left, for its receipt. */
  readonly findEvidence: FindEvidence;
  readonly dialects: RuntimeDialects;
  readonly policySource: PolicySource & { readonly current: { readonly mode: Mode } };
  readonly hooks: () => HookChain;
  readonly secrets: Secrets;
  readonly skillCatalogue: SkillCatalogue;
  readonly defaultTimeoutMs: number;
  readonly taskVariables: TaskVariables;
  /** Looked for when the first command runs, or at the start if a sandbox is required. */
  readonly sandbox: () => Promise<Sandbox>;
  /** For the commands of all sessions. */
  readonly supplies: SharedSupplies;
  readonly webAccess: WebAccess;
  /** Where decisions of people about the project are kept. */
  readonly projectFolder: string;
  readonly madeTools: MadeTools;
  /** Reads what other processes ask of the sessions that are open here. */
  readonly inboxes: Inboxes;
  readonly metrics: Pick<MetricsRecorder, "onEvent">;
  /** Stores rules among the user's own for this project. */
  readonly keepRules: Grants["keep"];
  /** With which a command uses this store. */
  readonly storeFlags: string;
  /** Notices what tools start and forget. */
  readonly strays: StrayGuard;
  readonly isolated: IsolatedTools;
  /** Undefined if no database is declared. */
  readonly databaseAccess: DatabaseAccess | undefined;
}

export type NamedSessionOptions = SessionOptions & { readonly id: string };

export async function openSession(
  parts: SessionParts,
  options: NamedSessionOptions,
  parent?: ParentSession,
): Promise<OpenedSession> {
  const { store, dialects, policySource } = parts;
  const { id } = options;
  await policySource.refresh();
  const wanted = options.mode ?? parts.options.permissions?.mode ?? policySource.current.mode;
  checkMode(wanted);
  const mode = createSessionMode(wanted, () => [policySource.current.maxMode, parent?.mode.current]);
  const given = options.budget ?? (parent ? {} : parts.options.budget);
  checkBudget(given);
  const limits = given && withCanonicalTools(given, dialects.names);
  const { root } = parts.workspace;
  if (options.fork !== undefined) await checkFork(parts, options.fork);
  const looking = Promise.all([parts.skillCatalogue.list(), parts.templates.list()]);
  // Awaited below; this handles a rejection if something else fails first.
  looking.catch(() => {});
  const owned = await ownSession(store, {
    id,
    workspace: root,
    chooseDialect: (recorded) => dialects.choose({ ...options, recorded }),
    taskId: options.taskId,
    parent: parent?.record,
  });
  try {
    return await openOwned(parts, options, { parent, owned, mode, limits, looking });
  } catch (error) {
    // Otherwise nobody could open it before this process ends.
    const variables = [releaseWrite(id, owned)];
    await (async () => store.append(id, { events: [], variables, fence: owned.fence }))().catch(() => {});
    throw error;
  }
}

interface OwnedParts {
  readonly parent: ParentSession | undefined;
  readonly owned: OwnedSession;
  readonly mode: SessionMode;
  readonly limits: BudgetLimits | undefined;
  readonly looking: Promise<unknown>;
}

async function openOwned(
  parts: SessionParts,
  options: NamedSessionOptions,
  { parent, owned, mode, limits, looking }: OwnedParts,
): Promise<OpenedSession> {
  const { store, dialects, redactor, policySource } = parts;
  const { shell, requireReadBeforeWrite, onQuestion, onApproval, approvals: queue } = parts.options;
  const { id, freshBudget: isFresh = false } = options;
  const { root } = parts.workspace;
  const { taskId, resumed, dialect, fence } = owned;
  if (resumed && options.fork !== undefined) throw alreadyThere(id);
  // Of the stored outputs, a session may read its own and those of the conversation it began with: those of another may
  // be another client's.
  const sources = await findForkSources(store, id, resumed ? undefined : options.fork);
  const workspace = [id, ...sources].reduce(
    (readable, source) => readable.withReadable(join(parts.outputs.path, source)),
    parts.workspace,
  );
  const allows = options.tools && parts.filterTools(options.tools);
  const spoken = onlyAllowed(dialects.speak(dialect), allows);
  const { view } = spoken;
  const own = { ...parts, ...spoken };
  let lose = () => {};
  const log = createSessionLog(store, id, { fence, onLost: () => lose() });
  const kept = openKept({ store, log }, id);
  const run = await beginRun(store, id, { log, findEvidence: parts.findEvidence });
  const budget = createBudget(limits, parent?.budget, await readSpending(limits, { kept, log, isFresh }));
  const taint = await openTaint({ store, log }, id);
  const partTaints = parent === undefined ? undefined : await joinTaints(parent.taint, taint);
  const openCalls = createOpenCalls();
  const reads = trackReads(store);
  const ending = new AbortController();
  // Every event stream listens for the session's end, and there may be many.
  setMaxListeners(0, ending.signal);
  const closed = Promise.withResolvers<void>();

  const records = await createApprovalRecords({ ...parts, kept }, id);
  if (resumed) await removeLostApprovals(kept);
  const approvals =
    parent?.approvals ?? createApprovals({ handler: onApproval, queue: queue === "queue", records });
  const questionQueue = createQuestionQueue({
    queue: queue === "queue",
    records: await createQuestionRecords({ ...parts, kept }, { sessionId: id, workspace: root }),
  });
  if (resumed) await removeLostQuestions(kept);
  const grants = parent?.grants ?? (await openGrants(kept, { names: dialects.names, keep: parts.keepRules }));
  const proposals = parent?.proposals ?? createProposalCount(kept);
  const session = createSessionView({
    ...own,
    id,
    mode,
    workspace: root,
    allowedKinds: parent?.allowedKinds,
    databases: parts.databaseAccess?.summaries,
  });
  const lacking = parts.databaseAccess === undefined ? (["databases"] as const) : [];
  const whyDenied = (entry: RegisteredTool) => {
    const by = { rules: policySource.current.rules, mode: mode.current };
    return whyNeverAllowed(entry, by) ?? whyLacking(entry.tool.traits, services, lacking);
  };
  const revision = createRevision(() => [policySource.current, mode.current]);
  const allowance: ToolAllowance = {
    isNeverAllowed: (entry) => whyDenied(entry) !== undefined,
    get revision() {
      return revision();
    },
    refresh: policySource.refresh,
  };
  const sessionTools = await openTools(own.toolSearch, { kept, session: () => session, allowance });
  const link = () => ({ budget, approvals, grants, proposals, taint, mode });
  let spawning: ReturnType<typeof openSessionAgents> | undefined;
  const openSubAgents = () => {
    spawning ??= openSessionAgents(own, { id, taskId, dialect, log, kept, parent, link, allows });
    return spawning;
  };
  const { turns, release, ...values } = await openSessionVariables({ ...parts, log }, { id, taskId });
  await looking;
  const opened = await openServices(services, {
    ...parts,
    workspace,
    id,
    kept,
    watchFiles: options.watchFiles,
    remindEveryCalls: options.remindEveryCalls,
    run,
    log,
    shell,
    systemOptions: parts.options.system,
    requireReadBeforeWrite,
    onQuestion,
    questionQueue,
    onWaiting: (request) =>
      notifyOfQuestion(parts.hooks().event, request, {
        redactor,
        command: questionQueue.kept?.howToAnswer(request.id),
      }),
    sessionTools,
    openSubAgents,
    taint,
    proposals,
  });
  const subAgents = await openSubAgents();
  const ownHosts = new Set((parts.options.web?.origins ?? []).map((origin) => new URL(origin).host));
  const { files, processes, tasks } = opened;
  const diagnostics = await openIfAny(parts.options.diagnostics, {
    root,
    sandbox: parts.sandbox,
    shell: processes,
  });
  const refreshTaint = () => (taint.list().length === 0 ? undefined : taint.refresh());
  const host: CallHost = {
    session,
    run: run.id,
    // Tools see it, and must not be able to change it for the next call.
    caller: Object.freeze({
      ...(options.caller ?? parts.options.caller ?? { kind: "code", name: "toolwright" }),
    }),
    openCalls,
    taint,
    dialect: view,
    get hooks() {
      return parts.hooks();
    },
    policy: openPolicy({
      source: {
        get current() {
          return policySource.current;
        },
        refresh: () => policySource.refresh()?.then(taint.refresh) ?? refreshTaint(),
      },
      grants,
      mode,
      paths: workspace,
      listTree: files.listTree,
      isOwnHost: (name) => ownHosts.has(name),
      shell: processes,
      sandbox: parts.sandbox,
      taint: taint.list,
      ...(parts.databaseAccess && { databaseRequests: parts.databaseAccess.requestsOf }),
    }),
    approvals,
    grants,
    budget,
    loops: createLoopWatch(parts.options.loops),
    log: withCallCount(log, { onCall: tasks.reminder.onCall, onEvent: parts.metrics.onEvent }),
    redactor,
    secrets: parts.secrets,
    ...values,
    services: { table: services, opened },
    checks: diagnostics,
    undo: createUndoStore(parts.blobs, {
      turns,
      revert: files.revert,
      diff: files.diff,
      settle: parts.intents.forget,
    }),
    defaultTimeoutMs: parts.defaultTimeoutMs,
    isStrict: parts.options.strictInput ?? false,
    strays: parts.strays,
    isolated: parts.isolated,
    yieldToEventLoop: createEventLoopYield(),
    receipts: (query) => store.readReceipts({ ...query, sessionId: id }),
    offerTool: offerIn(sessionTools),
    keepOutput: (text) => parts.outputs.keep(id, text),
  };
  try {
    await askHooks(parts.hooks().event, {
      event: "SessionStart",
      sessionId: id,
      source: resumed ? "resume" : "startup",
    });
    const fork = resumed || options.fork === undefined ? undefined : await beginFork(store, options.fork);
    // Known before the conversation that it came with.
    if (fork !== undefined) await taint.add(fork.taint);
    await log.append([...(fork?.events ?? []), { type: "session-open", resumed, workspace: root }]);
    if (fork !== undefined) await tasks.restore(fork.tasks);
  } catch (error) {
    // Services that watch files or run commands would keep the process alive.
    await closeServices(opened).catch(() => {});
    throw error;
  }

  const turn = createAgentTurn();
  const conversation = createConversation({
    host,
    store,
    turn,
    tasks,
    working: () =>
      subAgents.list().flatMap(({ id: agent, status }) => (status === "in_progress" ? [agent] : [])),
  });
  const inbox = parts.inboxes.serve({
    id,
    log,
    fence,
    handlers: sessionInbox(host, {
      taint,
      giveReply: (questionId, reply) => giveReply(questionQueue, questionId, reply),
    }),
    onLost: () => lose(),
  });
  const close = async (because: Error): Promise<void> => {
    if (openCalls.isClosed) return closed.promise;
    try {
      // `cancelAll` marks the session closed before it first waits, so a second close waits for this one.
      await openCalls.cancelAll(because);
      await tellHooks(parts.hooks().event, { event: "SessionEnd", sessionId: id });
      inbox.stop();
      await diagnostics?.close();
      await closeServices(opened);
      // What another process owns by now is no longer ours to end.
      if (because instanceof ToolError) return;
      // From here on the session may be another's, who reads its variables.
      await log.flush();
      run.end();
      log.noteVariable(releaseWrite(id, owned));
      await log.append([{ type: "session-close" }]);
      await store.closeSession(id);
    } finally {
      release();
      partTaints?.();
      ending.abort();
      // Event streams read their last events before the store may be closed.
      await reads.settled();
      closed.resolve();
    }
  };
  lose = () => {
    close(sessionLost(id)).catch(() => {});
  };

  const interop = createInterop({
    list: () => view.list(session, whyDenied),
    listActive: (only) => sessionTools.active(only).map((entry) => view.present(entry, session)),
    find: (name) => {
      const entry = view.resolve(name)?.entry;
      if (entry === undefined) return undefined;
      const { concurrencySafe } = entry.tool.traits;
      return { tool: view.present(entry, session), isConcurrencySafe: concurrencySafe };
    },
    callAll: (calls) => callAll(host, calls),
  });

  return {
    id,
    resumed,
    dialect,
    get mode() {
      return mode.current;
    },
    async setMode(next, { by = "person" } = {}) {
      checkMode(next);
      await policySource.refresh();
      mode.choose(next);
      const { current } = mode;
      await log.append([{ type: "mode-change", mode: current, changedBy: by }]);
      return current;
    },
    agentHost: createAgentHosts(own, {
      host,
      log,
      kept,
      tools: sessionTools,
      allowance,
      reminder: tasks.reminder,
      subAgents,
      turn,
      openWork: tasks.openWork,
      onMessage: (deliver) =>
        inbox.handle("message", ({ text }, finish) =>
          deliver(text, (events) => finish(undefined, { events })),
        ),
    }),
    ...values,
    budget,
    approvals,
    questions: questionQueue,
    taint: { list: taint.list, clear: taint.clear },
    get hasHooks() {
      const { beforeCall, afterCall } = parts.hooks();
      return beforeCall.length + afterCall.length > 0;
    },
    jobs: processes.jobs,
    agents: { list: subAgents.list, cancel: subAgents.cancel },
    tasks: tasks.tasks,
    todos: tasks.todos,
    skills: { list: parts.skillCatalogue.list, problems: parts.skillCatalogue.problems },
    // The types of a built-in tool's call are a promise about what its schemas check.
    call: ((name: string, input?: unknown, callOptions: CallOptions = {}) =>
      runCall(host, { ...callOptions, name, input })) as Session["call"],
    callAll: (calls) => callAll(host, calls),
    explain: (name, ...[input]) => explainCall(host, { name, input }),
    dryRun: ((name: string, input?: unknown, callOptions: CallOptions = {}) =>
      runCall(host, { ...callOptions, name, input, isDryRun: true })) as Session["dryRun"],
    undo: (callId, callOptions = {}) => undoCall(host, { ...callOptions, callId, direction: "undo" }),
    redo: (callId, callOptions = {}) => undoCall(host, { ...callOptions, callId, direction: "redo" }),
    messages: conversation.messages,
    rewind: conversation.rewind,
    ...interop,
    ...toolChoice(sessionTools, view),
    bookmark: () => store.readLastSequence(id),
    conversation: () => readConversation(reads.store, id),
    events: ({ signal, ...query } = {}) =>
      streamEvents(reads.store, id, {
        ...query,
        signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
      }),
    closed: closed.promise,
    get isOpen() {
      return !openCalls.isClosed;
    },
    close: () => close(new Error("the session was closed")),
  };
}

/** Loaded only where the options name checkers. */
async function openIfAny(
  checkers: RuntimeOptions["diagnostics"] = [],
  parts: DiagnosticsParts,
): Promise<ChangeChecks | undefined> {
  if (checkers.length === 0) return undefined;
  const { openDiagnostics } = await import("../../../capabilities/diagnostics/open-diagnostics.ts");
  return openDiagnostics(checkers, parts);
}

/** Agents of the session may be limited further, but get nothing that it does not have. */
function onlyAllowed(spoken: SpokenDialect, allows: ToolFilter | undefined): SpokenDialect {
  if (allows === undefined) return spoken;
  const limitTools: SpokenDialect["limitTools"] = (more) =>
    spoken.limitTools((tool) => allows(tool) && more(tool));
  return { ...spoken, ...spoken.limitTools(allows), limitTools };
}

/** Returns the same object until one of the values changes. */
function createRevision(values: () => readonly unknown[]): () => unknown {
  let last: readonly unknown[] = [];
  return () => {
    const next = values();
    if (last.length !== next.length || next.some((value, index) => value !== last[index])) last = next;
    return last;
  };
}

function withCallCount(
  log: SessionLog,
  { onCall, onEvent }: { onCall: () => void; onEvent: MetricsRecorder["onEvent"] },
): SessionLog {
  return {
    ...log,
    append(events) {
      for (const event of events) onEvent(event);
      return log.append(events);
    },
    note(event) {
      onEvent(event);
      return log.note(event);
    },
    finish(event, more = []) {
      onCall();
      for (const each of [event, ...more]) onEvent(each);
      return log.finish(event, more);
    },
  };
}
