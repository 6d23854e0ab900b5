import { CallerGaveUp } from "../../shared/deadline.ts";
import { newId, nextTime } from "../../shared/new-id.ts";
import { knownKeys, value } from "../../shared/options/known-keys.ts";
import { findUnknownKey, refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import type { Caller } from "../../tool/caller.ts";
import type { Verdict } from "../policy/verdict.ts";

/** A call that waits for a person's decision. */
export interface ApprovalRequest {
  readonly id: string;
  readonly callId: string;
  readonly sessionId: string;
  /** Who made the call. */
  readonly caller: Caller;
  readonly tool: string;
  readonly input: unknown;
  /** Of a built-in tool, the arguments that are switches and numbers left at their defaults, which nobody needs to read. */
  readonly defaults?: readonly string[];
  /** Why the call needs approval, and what it would touch. */
  readonly verdict: Verdict;
  /** A diff of what it would change, with secrets masked; a long one is cut. Absent unless it would only write files. */
  readonly preview?: string;
  /**
   * The rules that an answer for the session, or for good, would add. Absent if it can only be allowed once, such as a
   * command that runs whatever it is given.
   */
  readonly rules?: readonly string[];
  /** In other processes: masking has taken out what may act, so it can be allowed only where it is asked. */
  readonly withheld?: true;
  /** ISO 8601. */
  readonly requestedAt: string;
}

export interface ApprovalDecision {
  readonly decision: "allow" | "deny";
  /**
   * For `allow`: how long it holds. With `session`, the request's `rules` hold in the session and its sub-agents; with
   * `always`, they are stored among the user's own rules for this project. Default: `once`.
   */
  readonly lasts?: ApprovalLasts;
  /** For `deny`: also ends the run of the agents that work in the session. */
  readonly stop?: boolean;
  /** The model reads it. */
  readonly note?: string;
  /** Who decided, for the record. */
  readonly by?: string;
}

export const approvalLasts = ["once", "session", "always"] as const;
export type ApprovalLasts = (typeof approvalLasts)[number];

const detailKeys = { lasts: value, stop: value, note: value, by: value } as const;

export const decisionKeys = knownKeys<ApprovalDecision>({ decision: value, ...detailKeys });

export interface DecisionDetails extends Omit<ApprovalDecision, "decision"> {}

export const decisionDetailKeys = knownKeys<DecisionDetails>(detailKeys);

export type ApprovalAnswer = "allow" | "deny" | ApprovalDecision;

/**
 * Called for each call that needs approval. May take its time; an invalid answer or an error counts as `deny`, except for an
 * `AbortError`: whoever was asked has left without an answer, and the call is cancelled.
 * A promise may be of any string, because TypeScript infers `Promise<string>` for `async () => "allow"`.
 */
export type ApprovalHandler = (
  request: ApprovalRequest,
  signal: AbortSignal,
) => ApprovalAnswer | Promise<ApprovalAnswer | string>;

/** A session's calls that wait for a decision. */
export interface ApprovalQueue {
  list(): readonly ApprovalRequest[];
  /** Decides on a waiting call; each can be decided once. */
  decide(id: string, decision: "allow" | "deny", details?: DecisionDetails): void;
}

export interface Approvals extends ApprovalQueue {
  /** How often a person has said no and stop. Shared by a session and its sub-agents. */
  readonly stops: number;
  /** Whether anybody can answer: a handler, or someone who works through the queue. */
  readonly isAnswered: boolean;
  /** Queues a call for a decision. The call's own handler, if any, is used instead of the session's. */
  request(
    request: NewRequest,
    options: {
      signal: AbortSignal;
      handler?: ApprovalHandler | undefined;
      /** Absent for what cannot be asked again. */
      binding?: RequestBinding | undefined;
    },
  ): PendingApproval;
  /** Removes a request whose call has ended. */
  withdraw(id: string): void;
  /** Requests and answers that outlive the process that asked. Absent where no other process could answer. */
  readonly kept?: KeptRequests | undefined;
}

/** What a request is bound to: only the same call of the same client, about the same state of things, is the same. */
export interface RequestBinding {
  readonly key: string;
  /** What was there of what the call would touch. */
  readonly state: string;
  /** Whose rules an answer for good would be among. */
  readonly workspace: string;
}

export interface KeptAnswer extends Pick<ApprovalDecision, "decision" | "note"> {
  readonly by: string;
}

export interface KeptRequests {
  /** Which client a caller is, so that nobody can use the answer to another one's request. */
  clientOf(caller: Caller): readonly unknown[];
  /** Takes the answer to the same request, if whoever asked is gone. Each is taken once, and held until `release`. */
  take(binding: RequestBinding): Promise<KeptAnswer | undefined>;
  /** Leaves a request for a person; the answer is for whoever asks the same again. */
  leave(request: NewRequest, binding: RequestBinding): Promise<LeftRequest>;
  /** The command that approves a request. */
  howToApprove(id: string): string;
  /** The call of the answer has begun, or never will. Written with the next event. */
  release(key: string): void;
}

interface LeftRequest {
  readonly request: Pick<ApprovalRequest, "id" | "requestedAt">;
  /** False if the same was left before, and nobody has answered yet. */
  readonly isNew: boolean;
}

export type NewRequest = Omit<ApprovalRequest, "id" | "requestedAt">;

interface PendingApproval {
  readonly id: string;
  /** ISO 8601. */
  readonly requestedAt: string;
  readonly decision: Promise<ApprovalDecision & { readonly by: string }>;
}

/** Where waiting calls are kept for other processes to see. */
export interface ApprovalRecords {
  add(request: ApprovalRequest, binding?: RequestBinding): void;
  /** With an answer, it is held in case this process dies before the call begins. */
  remove(id: string, answer?: KeptAnswer): void;
  readonly kept?: KeptRequests | undefined;
}

/** The queue of a session's calls that wait for approval. */
export function createApprovals({
  handler,
  queue,
  records,
}: {
  handler?: ApprovalHandler | undefined;
  queue: boolean;
  records?: ApprovalRecords;
}): Approvals {
  const waiting = new Map<string, Waiting>();
  let stops = 0;
  const remove = (id: string, answer?: KeptAnswer) => {
    waiting.get(id)?.stop(answer && decidedElsewhere);
    if (waiting.delete(id)) records?.remove(id, answer);
  };
  return {
    kept: records?.kept,
    isAnswered: handler !== undefined || queue,
    get stops() {
      return stops;
    },
    list: () => [...waiting.values()].map(({ request }) => request),

    decide(id, decision, details = {}) {
      const entry = waiting.get(id);
      if (entry === undefined)
        throw new Error(
          `no approval ${id} is waiting: it was already decided, withdrawn, or never requested`,
        );
      if (!isDecision(decision)) {
        throw new TypeError(`a decision must be "allow" or "deny"; received ${JSON.stringify(decision)}`);
      }
      refuseUnknownKeys(details, decisionDetailKeys, "decide");
      const problem = problemOf({ decision, ...details }, entry.request);
      if (problem !== undefined) throw new TypeError(`decide: ${problem}`);
      const answer = { by: "person", ...details, decision };
      remove(id, answer);
      entry.settle(answer);
    },

    request(details, { signal, handler: own, binding }) {
      const request: ApprovalRequest = {
        ...details,
        id: newId("approval"),
        requestedAt: nextTime(),
      };
      const { promise: answered, resolve: settle, reject } = Promise.withResolvers<ApprovalDecision>();
      // Whoever is being asked here need not answer what was decided elsewhere.
      const over = new AbortController();
      const expiry = setTimeout(settle, maxWaitMs, expired);
      // Stays alive for an answer that can come from another process.
      if (records?.kept === undefined) expiry.unref();
      const stop = (reason?: DOMException) => {
        clearTimeout(expiry);
        over.abort(reason);
      };
      waiting.set(request.id, { request, settle, stop });
      records?.add(request, binding);
      const asked = own ?? handler;
      if (asked !== undefined)
        askHandler(asked, request, AbortSignal.any([signal, over.signal])).then(settle, reject);
      const decision = answered.then((answer) => {
        const known = { by: "person", ...answer };
        remove(request.id, known);
        if (answer.stop) stops += 1;
        return known;
      });
      return { id: request.id, requestedAt: request.requestedAt, decision };
    },

    withdraw: (id) => remove(id),
  };
}

interface Waiting {
  readonly request: ApprovalRequest;
  settle(decision: ApprovalDecision): void;
  /** Asks nobody any more. */
  stop(reason?: DOMException): void;
}

/** Why a person need not answer any more, unless the call has ended. */
export const decidedElsewhere = new DOMException("it was decided elsewhere", "AbortError");

/** A day: a call that nobody has decided on by then was forgotten. */
export const maxWaitMs = 24 * 60 * 60 * 1000;
const expired: ApprovalDecision = {
  decision: "deny",
  by: "expiry",
  note: "nobody decided on it within 24 hours",
};

/** A handler that fails, or answers anything but allow or deny, denies. Rejects if whoever was asked has left. */
async function askHandler(
  handler: ApprovalHandler,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  try {
    const answer = await handler(request, signal);
    if (isDecision(answer)) return { decision: answer };
    if (typeof answer === "object" && isDecision(answer?.decision)) {
      const problem = findUnknownKey(answer, decisionKeys) ?? problemOf(answer, request);
      return problem === undefined ? answer : { decision: "deny", by: "approval handler", note: problem };
    }
    return { decision: "deny", by: "approval handler", note: "it returned neither allow nor deny" };
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw new CallerGaveUp(error);
    const why = describeThrown(error);
    return { decision: "deny", by: "approval handler", note: `it failed: ${why}` };
  }
}

/** Why an answer cannot be taken as it is; taking it for less would be a surprise later. */
export function problemOf(
  { decision, lasts = "once", stop }: ApprovalDecision,
  { rules, withheld }: Pick<ApprovalRequest, "rules" | "withheld">,
): string | undefined {
  if (!approvalLasts.includes(lasts))
    return `lasts must be one of ${approvalLasts.join(", ")}; received ${JSON.stringify(lasts)}`;
  if (decision === "deny")
    return lasts === "once" ? undefined : "a no cannot last; write a deny rule instead";
  if (stop) return "stop belongs to a no";
  if (withheld) return notShown;
  return lasts === "once" || rules !== undefined ? undefined : onlyOnce;
}

const notShown =
  "what looks like a secret in it may be what acts, and is not shown here: allow it where it is asked";
const onlyOnce = "this can be allowed only once: no rule says exactly this and no more";

function isDecision(value: unknown): value is ApprovalDecision["decision"] {
  return value === "allow" || value === "deny";
}
