import { isPlainObject } from "../../shared/json.ts";
import { defined } from "../../shared/options/defined.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { type Redactor, redactedMark } from "../../shared/secrets/redact.ts";
import {
  type ApprovalRequest,
  callNotWaiting,
  decisionDetailKeys,
  type PersonDecision,
  problemOf,
  whyNotElsewhere,
} from "./approvals.ts";
import { formatApproval } from "./format-approval.ts";
import type { AnswerMarks, RequestMarks, WaitingRequest } from "./waiting-records.ts";
import type { RequestKind, RequestListParts } from "./waiting-requests.ts";

/** Calls that wait for approval. */
export const callKind: RequestKind<ApprovalRequest, PersonDecision> = {
  name: "call",
  takes: "decision",
  requests: {
    scope: "approvals",
    isValue: (value): value is ApprovalRequest & RequestMarks =>
      isPlainObject(value) && typeof value.id === "string" && typeof value.requestedAt === "string",
  },
  answers: { scope: "kept-answers", owner: "store", isValue: isAnswer },
  isHeld: true,
  leftNote: "no process waits for it, and once approved it succeeds when it is made again",
  command: (id) => `approve call:${id}`,
  missing: callNotWaiting,
  mask: maskRequest,
  show: (call, columns) => ({
    text: formatApproval(call, { showsPreview: true, columns }).trim(),
    call,
  }),

  store: ({ decision, by, note }, mask) => ({ decision, by, note: note && mask(note) }),
  read: (stored) => stored as AnswerMarks & PersonDecision,

  accept(said, found, parts) {
    if ("answer" in said) throw new TypeError("a call takes a yes or no, and no other answer");
    const { decision, ...details } = said;
    refuseUnknownKeys(details, decisionDetailKeys, "decide");
    const answer = { ...details, decision, by: parts.caller.name };
    if (found.isLeft) return acceptLeft(answer, found, parts);
    const problem = whyNotElsewhere(decision, found.request);
    if (problem !== undefined) throw new TypeError(problem);
    return answer;
  },
  message: (approvalId, answer) => ({ kind: "decision", approvalId, ...answer }),
  eventsOf({ callId, id: approvalId, rules = [] }, { decision, by: decidedBy, note, lasts = "once" }) {
    const said = { type: "approval-decision", callId, approvalId, decision, decidedBy } as const;
    return [{ ...said, ...defined({ note }), ...(lasts === "once" ? {} : { lasts, rules }) }];
  },
  async onAnswered({ rules = [] }, { lasts }, { keepRules }) {
    if (lasts === "always") await keepRules(rules);
  },
};

function isAnswer(value: unknown): value is AnswerMarks & PersonDecision {
  return (
    isPlainObject(value) &&
    (value.decision === "allow" || value.decision === "deny") &&
    typeof value.by === "string" &&
    typeof value.state === "string" &&
    typeof value.at === "string"
  );
}

function acceptLeft(
  answer: PersonDecision,
  { request, binding }: WaitingRequest<ApprovalRequest>,
  { mask, workspace }: RequestListParts,
): PersonDecision {
  const { decision, note, lasts = "once", stop } = answer;
  if (lasts === "session" || stop)
    throw new TypeError(
      "no process waits for this call any more, so it can be approved once or always, and cannot be stopped",
    );
  const problem = problemOf({ decision, lasts }, request);
  if (problem !== undefined) throw new TypeError(problem);
  if (lasts === "always" && binding?.workspace !== workspace)
    throw new TypeError(
      `the rule would be for ${binding?.workspace ?? "another workspace"}; give it as --workspace`,
    );
  return note === undefined ? answer : { ...answer, note: mask(note) };
}

/**
 * What looks like a secret is not stored. A person who decides elsewhere is told how much that is: it may be what acts.
 */
function maskRequest(request: ApprovalRequest, redactor: Redactor): ApprovalRequest {
  const masked = redactor.value(request) as ApprovalRequest;
  const [whole, shown] = [textOf(request.input), textOf(masked.input)];
  if (whole === shown) return masked;
  const marks = shown.split(redactedMark).length - whole.split(redactedMark).length;
  const hidden = whole.length - shown.length + marks * redactedMark.length;
  const { verdict } = masked;
  const reason = `${hidden} characters of it look like a secret and are not shown here; ${verdict.reason}`;
  const withheld = mayHideWhatActs(whole, shown) && { withheld: true as const };
  return { ...masked, verdict: { ...verdict, reason }, ...withheld };
}

function textOf(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    // Code may pass anything, and an input that JSON cannot say cannot be stored either.
    return "";
  }
}

/**
 * Whether masking has taken more out of a text than plain values: a program can be put where a secret would be, and a
 * person cannot approve a part that they do not see.
 */
export function mayHideWhatActs(whole: string, shown: string): boolean {
  const [first = "", ...others] = shown.split(redactedMark);
  if (!whole.startsWith(first)) return true;
  let at = first.length;
  for (const [index, next] of others.entries()) {
    const isLast = index === others.length - 1;
    const end = isLast ? whole.length - next.length : whole.indexOf(next, at);
    if (end < at || !whole.startsWith(next, end)) return true;
    if (!plainValue.test(whole.slice(at, end))) return true;
    at = end + next.length;
  }
  return false;
}

/** A text without characters that end a word or a text in some language. */
const plainValue = /^[^\s"'`\\;|&<>$(){}]*$/;
