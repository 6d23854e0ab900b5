import { CallerGaveUp } from "../../shared/deadline.ts";
import { newId, nextTime } from "../../shared/new-id.ts";
import { knownKeys, value } from "../../shared/options/known-keys.ts";
import { findUnknownKey, refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import type { Caller } from "../../tool/caller.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Verdict } from "../policy/index.ts";
import { createWaitingQueue } from "./waiting-queue.ts";
import type { KeptRequests, RequestBinding, WaitingRecords } from "./waiting-records.ts";

/** A call that waits for a person's decision. */
export interface ApprovalRequest {
  readonly id: string;
  readonly callId: string;
  readonly sessionId: string;
  /** Who made the call. */
  readonly caller: Caller;
  readonly tool: string;
  readonly input: unknown;
  /** Of a built-in tool, the arguments that are switches and numbers left at their defaults, which need not be read. */
  readonly defaults?: readonly string[];
  /** Why the call needs approval, and what paths, commands and hosts it would touch. */
  readonly verdict: Verdict;
  /**
   * A diff of the changes it would make, with secrets masked; a long one is cut. Absent unless it would only write
   * files.
   */
  readonly preview?: string;
  /**
   * The rules that an answer for the session, or for good, would add. Absent if the call can only be allowed once, such as a
   * command that runs its arguments.
   */
  readonly rules?: readonly string[];
  /** In other processes: masking has hidden a part that may act, so the call can be allowed only where it is asked. */
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
  /** A note that the model reads. */
  readonly note?: string;
  /** The person or program that decided, for the record. */
  readonly by?: string;
}

/** A decision, and who made it. */
export interface PersonDecision extends ApprovalDecision {
  readonly by: string;
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
 * `AbortError`: the person has left without an answer, and the call is cancelled.
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
  /** Whether a person can answer, by a handler or by working through the queue. */
  readonly isAnswered: boolean;
  /** Queues a call for a decision. The call's own handler, if any, is used instead of the session's. */
  request(
    request: NewRequest,
    options: {
      signal: AbortSignal;
      handler?: ApprovalHandler | undefined;
      /** Absent for a call that no client can make again. */
      binding?: RequestBinding | undefined;
    },
  ): { readonly id: string; readonly requestedAt: string; readonly decision: Promise<PersonDecision> };
  /** Removes a request whose call has ended. */
  withdraw(id: string): void;
  /** Requests and answers that outlive the process that asked. Absent where no other process could answer. */
  readonly kept?: KeptRequests<ApprovalRequest, PersonDecision> | undefined;
}

export type NewRequest = Omit<ApprovalRequest, "id" | "requestedAt">;

/** Calls that wait for approval, as they are kept for other processes. */
export type ApprovalRecords = WaitingRecords<ApprovalRequest, PersonDecision>;

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
  const waiting = createWaitingQueue<ApprovalRequest, PersonDecision>({
    records,
    missing: callNotWaiting,
    expired: () => ({ answer: expired }),
  });
  let stops = 0;
  return {
    kept: records?.kept,
    isAnswered: handler !== undefined || queue,
    get stops() {
      return stops;
    },
    list: waiting.list,

    decide(id, decision, details = {}) {
      const request = waiting.find(id);
      if (!isDecision(decision)) {
        throw new TypeError(`a decision must be "allow" or "deny"; received ${JSON.stringify(decision)}`);
      }
      refuseUnknownKeys(details, decisionDetailKeys, "decide");
      const problem = problemOf({ decision, ...details }, request);
      if (problem !== undefined) throw new TypeError(`decide: ${problem}`);
      waiting.settle(id, { by: "person", ...details, decision });
    },

    request(details, { signal, handler: own, binding }) {
      const request = newApproval(details);
      const { id, requestedAt } = request;
      const asked = own ?? handler;
      const ask = asked && ((over: AbortSignal) => askHandler(asked, request, over));
      const decision = waiting.begin(request, { signal, binding, ask });
      decision.then(
        ({ stop }) => {
          if (stop) stops += 1;
        },
        () => {},
      );
      return { id, requestedAt, decision };
    },

    withdraw: waiting.end,
  };
}

export function newApproval(details: NewRequest): ApprovalRequest {
  return { ...details, id: newId("approval"), requestedAt: nextTime() };
}

export function callNotWaiting(id: string): ToolError {
  return new ToolError(
    "not-found",
    `no approval ${id} is waiting: it was already decided, or its call has ended`,
    { hint: "`toolwright approvals` lists those that wait." },
  );
}

const expired: PersonDecision = {
  decision: "deny",
  by: "expiry",
  note: "no decision came within 24 hours",
};

/**
 * A handler that fails, or answers anything but allow or deny, denies. Rejects if the person has left without an answer.
 */
async function askHandler(
  handler: ApprovalHandler,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<PersonDecision> {
  const deny = (note: string): PersonDecision => ({ decision: "deny", by: "approval handler", note });
  try {
    const answer = await handler(request, signal);
    if (isDecision(answer)) return { decision: answer, by: "person" };
    if (typeof answer !== "object" || !isDecision(answer?.decision))
      return deny("it returned neither allow nor deny");
    const problem = findUnknownKey(answer, decisionKeys) ?? problemOf(answer, request);
    return problem === undefined ? { by: "person", ...answer } : deny(problem);
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw new CallerGaveUp(error);
    return deny(`it failed: ${describeThrown(error)}`);
  }
}

/** Why a person cannot give this answer in another process than the one that asks, which checks everything else. */
export function whyNotElsewhere(
  decision: string,
  { withheld }: Pick<ApprovalRequest, "withheld">,
): string | undefined {
  return decision === "allow" && withheld ? notShown : undefined;
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
