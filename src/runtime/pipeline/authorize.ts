import type { Eventually } from "../../shared/eventually.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { isAttended, putToPerson } from "../policy/approvals/put-to-person.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { ResolvedCall } from "./call.ts";
import { findWholeVerdict } from "./find-whole-verdict.ts";
import type { HookAnswers } from "./hooks/before-hooks.ts";

/** Stage 4: lets the call through, or says who did not and why. Waits for a person where that is asked for. */
export function authorize(call: ResolvedCall, answers: HookAnswers): Eventually<void> {
  const verdict = findWholeVerdict(call, answers);
  const enforceIt = (found: Verdict) => enforce(call, found, answers);
  return verdict instanceof Promise ? verdict.then(enforceIt) : enforceIt(verdict);
}

function enforce(call: ResolvedCall, verdict: Verdict, { instead }: HookAnswers): Eventually<void> {
  call.verdict = verdict;
  if (verdict.decision === "deny") throw refusal(call, verdict);
  // What a hook answers in the tool's place touches nothing, so there is nothing to ask about.
  if (verdict.decision === "ask" && instead === undefined) return askPerson(call, verdict);
}

async function askPerson(call: ResolvedCall, verdict: Verdict): Promise<void> {
  if (!isAttended(call)) throw refusal(call, verdict);
  const { decision, by, note } = await putToPerson(call, verdict, (answer) => call.deadline.race(answer));
  const answer = note === undefined ? decision : `${decision}: ${note}`;
  call.verdict = {
    ...verdict,
    decision,
    decidedBy: by,
    reason: `${by} said ${answer} (asked because ${verdict.reason})`,
  };
  if (decision !== "allow") throw refusal(call, call.verdict);
  call.isApproved = true;
}

/** Why a call may not go on: it was denied, or it would have to be asked about and nobody is there. */
export function refusal({ resolved }: ResolvedCall, { decision, reason, decidedBy }: Verdict): ToolError {
  if (decision === "ask") {
    const message = `${resolved.spokenName} needs approval and there is nobody to ask: ${reason}`;
    return new ToolError("approval-needed", message, {
      hint: "Allow it by a rule or another mode, or run where somebody can answer.",
    });
  }
  return new ToolError("permission-denied", `${resolved.spokenName} was denied by ${decidedBy}: ${reason}`, {
    hint: "Do not try the same thing another way; ask the person if it is needed.",
  });
}
