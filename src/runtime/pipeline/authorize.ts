import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { refusal } from "../policy/refusal.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { ResolvedCall } from "./call.ts";
import type { HookAnswers } from "./hooks/before-hooks.ts";
import { judgeCall } from "./judge-call.ts";
import { isAttended, requestApproval } from "./request-approval.ts";

/** Stage 4: allows the call, or throws with the reason. Waits for a person if the call needs approval. */
export function authorize(call: ResolvedCall, answers: HookAnswers): MaybePromise<void> {
  const verdict = judgeCall(call, answers);
  const enforceIt = (found: Verdict) => enforce(call, found, answers);
  return verdict instanceof Promise ? verdict.then(enforceIt) : enforceIt(verdict);
}

function enforce(call: ResolvedCall, verdict: Verdict, { instead }: HookAnswers): MaybePromise<void> {
  call.verdict = verdict;
  if (verdict.decision === "deny") throw refuse(call, verdict);
  // If a hook answered instead of the tool, nothing runs, so nothing needs approval.
  if (verdict.decision === "ask" && instead === undefined) return awaitApproval(call, verdict);
  call.gate.open({ isApproved: false });
}

async function awaitApproval(call: ResolvedCall, verdict: Verdict): Promise<void> {
  if (!isAttended(call)) throw refuse(call, verdict);
  const { decision, by, note } = await requestApproval(call, verdict, (answer) => call.deadline.race(answer));
  const who = by === "person" ? "the user" : by;
  const answer = `${who} said ${decision === "allow" ? "yes" : "no"}${note === undefined ? "" : `: ${note}`}`;
  call.verdict = {
    ...verdict,
    decision,
    decidedBy: by,
    reason: `${answer} (asked because ${verdict.reason})`,
  };
  if (decision !== "allow") throw refuse(call, call.verdict);
  await refuseIfDeniedNow(call);
  call.gate.open({ isApproved: true });
}

/** A person approves what no rule denies; a rule may have come, or a link been changed, while the person was deciding. */
async function refuseIfDeniedNow(call: ResolvedCall): Promise<void> {
  const now = await call.gate.judgeAgain();
  if (now.decision !== "deny") return;
  call.verdict = { ...now, reason: `${now.reason} (this changed while it waited for approval)` };
  throw refuse(call, call.verdict);
}

function refuse({ resolved }: ResolvedCall, verdict: Verdict) {
  return refusal(resolved.spokenName, verdict);
}
