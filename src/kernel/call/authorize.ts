import { after, type MaybePromise } from "../../shared/maybe-promise.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { CallGate, refusal, type Verdict } from "../policy/index.ts";
import { createBudget, type SessionLog } from "../session/index.ts";
import {
  canBeAsked,
  definitionOf,
  leaveRequest,
  recallAnswer,
  requestApproval,
} from "./asking/request-approval.ts";
import { type Call, nameOf, noAnswers, type ResolvedCall } from "./call.ts";
import { CallDeadline } from "./call-deadline.ts";
import type { CallHost } from "./call-host.ts";
import { copyInput } from "./copy-input.ts";
import { execute } from "./execute.ts";
import { runPermissionHooks } from "./hooks/call-hooks.ts";
import { judgeCall } from "./judge-call.ts";
import { diffForPeople } from "./shape-outcome.ts";
import { ruleOfStages, tellApproved } from "./stages/stages.ts";

/** Stage 4: allows the call, or throws with the reason. Waits for a person if the call needs approval. */
export function authorize(call: ResolvedCall): MaybePromise<void> {
  const verdict = judgeCall(call, ruleOfStages);
  return after(verdict, (found) => enforce(call, found));
}

function enforce(call: ResolvedCall, verdict: Verdict): MaybePromise<void> {
  call.verdict = verdict;
  if (verdict.decision === "deny") throw refuse(call, verdict);
  // If a hook answered instead of the tool, nothing runs, so nothing needs approval.
  if (verdict.decision === "ask" && call.answers.instead === undefined) return awaitApproval(call, verdict);
  call.gate.open({ isApproved: false });
}

/** Asks a person, and asks again if a file that the call uses has changed meanwhile. */
async function awaitApproval(call: ResolvedCall, first: Verdict): Promise<void> {
  await call.gate.look();
  const answer = (await runPermissionHooks(call, first)) ?? (await recallAnswer(call, first));
  if (answer?.decision === "deny") {
    call.verdict = { ...first, ...answer };
    throw refuse(call, call.verdict);
  }
  if (answer === undefined && !canBeAsked(call))
    throw refusal(
      call.resolved.spokenName,
      first,
      await leaveRequest(call, first, await previewRequest(call, first)),
    );
  let asked = first;
  let keepAnswer = async () => {};
  for (let round = 1; round <= maxRounds; round += 1) {
    if (round > 1) await call.gate.look();
    if (answer !== undefined && round === 1) call.verdict = { ...first, ...answer };
    else if (canBeAsked(call)) keepAnswer = await askOnce(call, asked);
    else throw refuse(call, asked);
    refuseIfRedefined(call);
    const { verdict: now, changed } = await call.gate.judgeAgain();
    // A rule may have come, or a link been changed, while the person was deciding.
    if (now.decision === "deny") throw refuseNow(call, now);
    if (changed === undefined) {
      await keepAnswer();
      call.gate.open({ isApproved: true });
      return;
    }
    if (now.decision === "allow") {
      call.verdict = now;
      call.gate.open({ isApproved: false });
      return;
    }
    asked = { ...now, reason: `${escapeLine(changed)} changed while it waited for approval; ${now.reason}` };
  }
  const reason = `what it would touch changed ${maxRounds} times while it waited for approval`;
  call.verdict = { ...asked, decision: "deny", decidedBy: "toolwright", reason };
  throw refuse(call, call.verdict);
}

/** A process that keeps changing the files a person is asked about may want to hide something. */
const maxRounds = 3;

/** Throws unless the person approves. Returns what makes their answer last. */
async function askOnce(call: ResolvedCall, verdict: Verdict): Promise<() => Promise<void>> {
  const { decision, by, note, keep } = await requestApproval(call, verdict, {
    wait: (answer) => call.deadline.race(answer),
    preview: await previewRequest(call, verdict),
  });
  const who = by === "person" ? "the user" : by;
  const answer = `${who} said ${decision === "allow" ? "yes" : "no"}${note === undefined ? "" : `: ${note}`}`;
  call.verdict = {
    ...verdict,
    decision,
    decidedBy: by,
    reason: `${answer} (asked because ${verdict.reason})`,
  };
  if (decision !== "allow") throw refuse(call, call.verdict);
  tellApproved(call);
  return keep;
}

function refuseNow(call: ResolvedCall, verdict: Verdict): ToolError {
  call.verdict = { ...verdict, reason: `${verdict.reason} (this changed while it waited for approval)` };
  return refuse(call, call.verdict);
}

/** A server may offer another tool under the same name by now, or none. */
function refuseIfRedefined(call: ResolvedCall): void {
  const now = call.host.dialect.resolve(call.request.name)?.entry;
  const before = call.resolved.entry;
  if (
    now?.tool === before.tool ||
    (now !== undefined && definitionOf(now, call) === definitionOf(before, call))
  )
    return;
  throw new ToolError("conflict", `${nameOf(call)} was changed while it waited for approval`, {
    hint: "Look at what it does now, then call it again.",
  });
}

function refuse({ resolved }: ResolvedCall, verdict: Verdict) {
  return refusal(resolved.spokenName, verdict);
}

/**
 * A diff of what a call that needs approval would change, with secrets masked; undefined unless it would only write
 * files, and unless these may be read without asking. It is not a separate call: it costs no budget and leaves no
 * record.
 */
async function previewRequest(call: ResolvedCall, verdict: Verdict): Promise<string | undefined> {
  const { writes, runs, hosts, opaque } = verdict.effects;
  if (call.request.isDryRun || writes.length === 0 || runs.length + hosts.length > 0 || opaque)
    return undefined;
  const deadline = new CallDeadline(call.deadline.signal);
  try {
    const preview = previewOf(call, deadline);
    const { decision } = await judgeCall(preview);
    if (decision !== "allow") return undefined;
    preview.gate.open({ isApproved: false });
    const { status, text } = await execute(preview);
    return status === "done" ? diffForPeople(call.host.redactor, text) : undefined;
  } catch {
    // The person who decides still sees the whole input.
    return undefined;
  } finally {
    deadline.close();
  }
}

/** A person should not wait long for the question itself. */
const maxPreviewMs = 5_000;

function previewOf({ id, request, host, caller, resolved, input }: ResolvedCall, deadline: CallDeadline) {
  const { name, input: given } = request;
  const preview: Call & Pick<ResolvedCall, "resolved"> = {
    id,
    caller,
    deadline,
    resolved,
    request: { name, input: given, isDryRun: true, timeoutMs: maxPreviewMs },
    host: unrecorded(host),
    input: copyInput(input),
    slot: undefined,
    answers: noAnswers,
    noted: {},
    work: {},
  };
  return Object.assign(preview, { gate: new CallGate(host.policy, preview) });
}

function unrecorded(host: CallHost): CallHost {
  const log: SessionLog = { ...host.log, note: () => {}, append: () => {}, noteVariable: () => {} };
  return { ...host, budget: createBudget(), log };
}
