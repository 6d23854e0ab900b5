import { newId } from "../../../shared/new-id.ts";
import { refuseUnknownKeys } from "../../../shared/options/refuse-unknown-keys.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type CallResult, variableText } from "../../call/index.ts";
import {
  type ApprovalHandler,
  decisionDetailKeys,
  type PersonMessage,
  readWaitingCalls,
  requestsInSessions,
  takeMessage,
  type WaitingKind,
  whyNotElsewhere,
} from "../../people/index.ts";
import {
  askOwner,
  copyJson,
  endedBy,
  findLiveOwner,
  type InboxRequest,
  isSessionBusy,
  leaveItem,
  maxMessageCharacters,
  readConversation,
  sessionValues,
  streamEvents,
  type UndoItem,
} from "../../session/index.ts";
import { claim, isAliveIn, keptIn, leaseWrite, type Store } from "../../store/index.ts";
import type { RunningRuntime } from "../running-runtime.ts";
import type { Session } from "../session.ts";
import type { RemoteSession, RemoteUndoOptions } from "./remote-session.ts";

/** A remote session, with a member that only the list of everything that waits uses. */
interface AnsweringSession extends RemoteSession {
  /**
   * Gives a person's answer to the request that waits for it. Rejects if it does not wait, or the answer does not fit.
   */
  tell(message: PersonMessage): Promise<void>;
}

/** The parts of a runtime by which it reaches other processes' sessions. */
export interface RemoteParts
  extends Pick<RunningRuntime, "store" | "open" | "caller" | "redactor" | "workspace" | "keepRules"> {
  /** Aborted when the runtime closes. */
  readonly ending: AbortSignal;
}

export async function openRemoteSession(parts: RemoteParts, id: string): Promise<AnsweringSession> {
  const { store, caller, ending } = parts;
  const isKnown = (await store.readLease(id)) ?? (await store.readLastSequence(id));
  if (!isKnown)
    throw new ToolError("not-found", `there is no session ${JSON.stringify(id)}`, {
      hint: "`toolwright sessions` lists them.",
    });

  const link = createOwnerLink(parts, id);
  const { owner, perform } = link;
  const turn = async (
    kind: UndoItem["kind"],
    callId: string,
    { onApproval, ...options }: RemoteUndoOptions = {},
  ): Promise<CallResult> => {
    const { signal, caller: by = caller } = options;
    const as = newId("call");
    const asked = { kind, callId, as, caller: by, canApprove: onApproval !== undefined };
    const stop = onApproval && answerFor(as, onApproval, signal);
    const cancel = () => void askToCancel(as).catch(() => {});
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return (await perform(asked, (session) => session[kind](callId, { ...options, id: as }))) as CallResult;
    } finally {
      stop?.();
      signal?.removeEventListener("abort", cancel);
    }
  };
  const askToCancel = async (callId: string): Promise<void> => {
    const holder = await owner();
    if (holder !== undefined)
      await askOwner(store, id, { owner: holder, request: { kind: "cancel", callId, by: caller.name } });
  };
  const updateVariable = variableUpdater(store, id, link);
  const tell = async (message: PersonMessage): Promise<void> => {
    await perform(message, (session) => takeMessage(session, message));
  };
  const decide: RemoteSession["decide"] = async (approvalId, decision, details = {}) => {
    refuseUnknownKeys(details, decisionDetailKeys, "decide");
    const waiting = (await readWaitingCalls(store, id)).find((request) => request.id === approvalId);
    const problem = waiting && whyNotElsewhere(decision, waiting);
    if (problem !== undefined) throw new TypeError(problem);
    await tell({ kind: "decision", approvalId, decision, ...details, by: caller.name });
  };
  /** Asks the handler about every approval that the call of this id waits for. Returns how to stop that. */
  const answerFor = (callId: string, handler: ApprovalHandler, signal = ending): (() => void) => {
    const seen = new Set<string>();
    const look = async () => {
      for (const request of await readWaitingCalls(store, id)) {
        if (request.callId !== callId || seen.has(request.id)) continue;
        seen.add(request.id);
        const answer = await handler(request, signal);
        const {
          decision,
          by: _self,
          ...details
        } = typeof answer === "string" ? { decision: answer } : answer;
        const problem = whyNotElsewhere(decision, request);
        if (problem !== undefined) await decide(request.id, "deny", { note: problem });
        else await decide(request.id, decision === "allow" ? "allow" : "deny", details);
      }
    };
    return store.lives.onWake(() => void look().catch(() => {}));
  };

  return {
    id,
    owner,
    bookmark: () => store.readLastSequence(id),
    events: (query = {}) => streamEvents(store, id, endedBy(query, ending), "elsewhere"),
    conversation: () => readConversation(store, id),
    variables: keptIn(store, sessionValues, id).list,
    async setVariable(name, value) {
      await updateVariable(name, () => value);
    },
    updateVariable,
    undo: (callId, options) => turn("undo", callId, options),
    redo: (callId, options) => turn("redo", callId, options),
    async cancel(callId) {
      if ((await owner()) === undefined) return 0;
      return Number(await perform({ kind: "cancel", by: caller.name, callId }, () => 0));
    },
    async send(message) {
      if (typeof message !== "string" || message.trim() === "")
        throw new TypeError("send: a message must be a string that is not empty");
      if (message.length > maxMessageCharacters)
        throw new TypeError(`send: a message may have at most ${maxMessageCharacters} characters`);
      await leaveItem(store, id, { kind: "message", text: parts.redactor.text(message.toWellFormed()) });
      const holder = await owner();
      if (holder?.life !== undefined) store.lives.wake(holder.life);
    },
    approvals: () => readWaitingCalls(store, id),
    decide,
    tell,
  };
}

/** The calls and questions that wait for a person, in every session and process of a store. */
export function waitingInSessions(parts: RemoteParts): readonly WaitingKind[] {
  return requestsInSessions({
    ...parts,
    mask: parts.redactor.text,
    workspace: parts.workspace.root,
    tell: async (id, message) => (await openRemoteSession(parts, id)).tell(message),
  });
}

/** Changes variables by their owner, or in the store while no process owns the session. */
function variableUpdater(store: Store, id: string, { perform }: OwnerLink): RemoteSession["updateVariable"] {
  const values = keptIn(store, sessionValues, id);
  return async (name, change) => {
    for (;;) {
      const lease = await store.readLease(id);
      const before = await values.get(name);
      const changed = change(before);
      const value = changed === undefined ? undefined : copyJson(name, changed);
      const isUnowned = lease?.owner === undefined || !(await isAliveIn(store, lease.owner));
      if (isUnowned && lease?.isDamaged !== true) {
        const requires = [values.write(name, before), leaseWrite(id, lease)];
        if (await claim(store, id, { variables: [values.write(name, value)], requires })) return value;
        continue;
      }
      const expected = variableText(before);
      const request = { kind: "variable", name, value, expected } as const;
      const answer = await perform(request, ({ variables }, isOpenHere) => {
        // Opened for a moment only, which has written a whole lease: the next round requires that.
        const isChanged = isOpenHere && variableText(variables.get(name)) === expected;
        if (isChanged) variables.set(name, value);
        return { isChanged };
      });
      if ((answer as { isChanged: boolean }).isChanged) return value;
    }
  };
}

/** How to reach the process that has the session open. */
type OwnerLink = ReturnType<typeof createOwnerLink>;

/** Does something here: in the session, which is open here or is opened for a moment. */
type DoHere = (session: Session, isOpenHere: boolean) => unknown;

function createOwnerLink({ store, open }: Pick<RunningRuntime, "store" | "open">, id: string) {
  const owner = () => findLiveOwner(store, id);
  /** Asks the owner, or does it here; again if the owner is gone before it has done it. */
  const perform = async (request: InboxRequest, here: DoHere): Promise<unknown> => {
    for (;;) {
      const holder = await owner();
      if (holder !== undefined && holder.life !== store.lives.own) {
        const reply = await askOwner(store, id, { owner: holder, request });
        if (reply.outcome === "gone") continue;
        const { error, value } = reply.answer;
        if (error !== undefined) throw new ToolError(error.code, error.message, error);
        return value;
      }
      try {
        const session = await open({ id });
        try {
          return await here(session, holder !== undefined);
        } finally {
          if (holder === undefined) await session.close();
        }
      } catch (error) {
        if (!isSessionBusy(error)) throw error;
      }
    }
  };
  return { owner, perform };
}
