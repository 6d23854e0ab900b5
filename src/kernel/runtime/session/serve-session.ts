import { ToolError } from "../../../tool/tool-error.ts";
import {
  type CallHost,
  callAll,
  explainCall,
  runCall,
  sessionInbox,
  tellHooks,
  undoCall,
} from "../../call/index.ts";
import { checkMode } from "../../policy/index.ts";
import {
  createAgentTurn,
  endedBy,
  type OwnedSession,
  readConversation,
  releaseWrite,
  sessionLost,
  streamEvents,
} from "../../session/index.ts";
import { toolChoice } from "../../tool-search/index.ts";
import type { RunningRuntime } from "../running-runtime.ts";
import type { CallOptions, KernelSession, Session, SessionCalls, SessionHistory } from "../session.ts";
import type { OpenState } from "./open-state.ts";
import type { OfferedTools, RunningSession } from "./opening-session.ts";
import type { SessionPart } from "./session-part.ts";
import { agendaOf, closeParts } from "./session-parts.ts";
import { createConversation } from "./session-rewind.ts";

/** Begins to take calls, and requests of other processes. */
export function serveSession(runtime: RunningRuntime, served: ServedSession): Session {
  const { host, state, parts, owned } = served;
  const { log, taint, questions, lost } = state;
  const { id } = host.session;
  const turn = createAgentTurn();
  const inbox = runtime.inboxes.serve({
    id,
    log,
    fence: owned.fence,
    handlers: sessionInbox(host, { taint, questions: questions.queue }),
    onLost: () => lost.abort(),
  });
  const { close, closed } = createClosing(runtime, served, inbox.stop);
  const onLost = () => void close(sessionLost(id)).catch(() => {});
  if (lost.signal.aborted) onLost();
  else lost.signal.addEventListener("abort", onLost, { once: true });
  const session: KernelSession = Object.assign(describeSession(runtime, served), {
    ...callsOf(host),
    ...createConversation({ host, store: runtime.store, turn, parts }),
    ...historyOf(state, id),
    ...toolChoice(served.tools.choice, served.tools.view),
    closed,
    close: () => close(new Error("the session was closed")),
  });
  const running: RunningSession = {
    ...{ host, turn, agenda: agendaOf(parts) },
    onMessage: (handler) => inbox.handle("message", handler),
  };
  return Object.assign(session, ...parts.map((part) => part.members?.(running))) as Session;
}

function describeSession(
  { hooks, policySource }: RunningRuntime,
  { host, state, owned: { resumed, dialect } }: ServedSession,
) {
  const { mode, log, variables, taskVariables, budget, approvals, questions, taint, openCalls } = state;
  return {
    id: host.session.id,
    ...{ resumed, dialect, variables, taskVariables, budget, approvals },
    questions: questions.queue,
    taint: { list: taint.list, clear: taint.clear },
    get mode() {
      return mode.current;
    },
    setMode: async (next, { by = "person" } = {}) => {
      checkMode(next);
      await policySource.refresh();
      mode.choose(next);
      const { current } = mode;
      await log.append([{ type: "mode-change", mode: current, changedBy: by }]);
      return current;
    },
    get hasHooks() {
      const { beforeCall, afterCall } = hooks();
      return beforeCall.length + afterCall.length > 0;
    },
    get isOpen() {
      return openCalls.closeReason === undefined;
    },
  } satisfies Partial<KernelSession>;
}

function callsOf(host: CallHost): SessionCalls {
  return {
    // The types of a built-in tool's call are a promise about what its schemas check.
    call: ((name: string, input?: unknown, callOptions: CallOptions = {}) =>
      runCall(host, { ...callOptions, name, input })) as Session["call"],
    callAll: (calls) => callAll(host, calls),
    explain: (name, ...[input]) => explainCall(host, { name, input }),
    dryRun: ((name: string, input?: unknown, callOptions: CallOptions = {}) =>
      runCall(host, { ...callOptions, name, input, isDryRun: true })) as Session["dryRun"],
    undo: (callId, callOptions = {}) => undoCall(host, { ...callOptions, callId, direction: "undo" }),
    redo: (callId, callOptions = {}) => undoCall(host, { ...callOptions, callId, direction: "redo" }),
  };
}

function historyOf({ reads, ending }: OpenState, id: string): Omit<SessionHistory, "messages" | "rewind"> {
  return {
    bookmark: () => reads.store.readLastSequence(id),
    conversation: () => readConversation(reads.store, id),
    events: (query = {}) => streamEvents(reads.store, id, endedBy(query, ending.signal)),
  };
}

export interface ServedSession {
  readonly host: CallHost;
  readonly state: OpenState;
  readonly tools: OfferedTools;
  readonly parts: readonly SessionPart[];
  readonly owned: OwnedSession;
}

/** How the session ends: closed by its user, or lost to another process. */
function createClosing(
  { hooks, store }: RunningRuntime,
  { host, state, parts, owned }: ServedSession,
  stopInbox: () => void,
) {
  const { log, run, openCalls, reads, ending } = state;
  const { id } = host.session;
  const closed = Promise.withResolvers<void>();
  const close = async (because: Error): Promise<void> => {
    if (openCalls.closeReason !== undefined) return closed.promise;
    try {
      // `cancelAll` marks the session closed before it first waits, so a second close waits for this one.
      await openCalls.cancelAll(because);
      await tellHooks(hooks().event, { event: "SessionEnd", sessionId: id });
      stopInbox();
      await closeParts(parts);
      // A session that another process owns by now is not ours to end.
      if (because instanceof ToolError) return;
      // From here on the session may be another's, who reads its variables.
      await log.flush();
      run.end();
      log.noteVariable(releaseWrite(id, owned));
      await log.append([{ type: "session-close" }]);
      await store.closeSession(id);
    } finally {
      state.release();
      ending.abort();
      // Event streams read their last events before the store may be closed.
      await reads.settled();
      closed.resolve();
    }
  };
  return { close, closed: closed.promise };
}
