import type { ApprovalDecision, ApprovalLasts } from "../policy/approvals/approvals.ts";
import { suggestRules } from "../policy/approvals/suggest-rules.ts";
import { RuleError } from "../policy/rules/rule.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { SandboxProfile } from "../sandbox/sandbox.ts";
import { type Call, calledTool, nameOf, type ResolvedCall, toolOf } from "./call.ts";
import { copyInput } from "./copy-input.ts";
import { tellHooks } from "./hooks/event-hooks.ts";
import { defaultsIn } from "./input/defaults-in.ts";
import { maskCaller, recordInput } from "./journal.ts";

/** Whether anybody can approve this call. */
export function isAttended({ host, request }: ResolvedCall): boolean {
  return host.approvals.isAnswered || request.onApproval !== undefined;
}

/** Asks for a decision on the call and records both. The call gives up its slot while it waits. */
export async function requestApproval(
  call: ResolvedCall,
  verdict: Verdict,
  wait: <Answer>(answer: Promise<Answer>) => Promise<Answer>,
): Promise<ApprovalDecision & { readonly by: string }> {
  const { approvals, log, redactor, session } = call.host;
  const tool = call.resolved.entry.name;
  const { id: callId, input } = call;
  const rules = await findRules(call, verdict);
  const pending = approvals.request(
    {
      callId,
      sessionId: session.id,
      caller: call.caller,
      tool,
      input: copyInput(input),
      defaults: defaultsIn(input, toolOf(call).inputSchema),
      verdict,
      ...(rules && { rules }),
    },
    { signal: call.deadline.signal, handler: call.request.onApproval },
  );
  const about = { callId, approvalId: pending.id };
  call.slot?.release();
  try {
    const { inputHash } = recordInput(call);
    const kept = { input: redactor.value(input), inputHash, reason: redactor.text(verdict.reason) };
    const by = { caller: maskCaller(call), run: call.host.run };
    await log.append([{ type: "approval-request", ...calledTool(call), ...about, ...kept, ...by }]);
    const message = `${nameOf(call)} needs approval: ${kept.reason}`;
    void tellHooks(call.host.hooks.event, { event: "Notification", sessionId: session.id, message });
    const answer = await timeAsking(call, wait(pending.decision));
    const { decision, by: decidedBy, note, lasts = "once", stop } = answer;
    const said = {
      ...(note !== undefined && { note: redactor.text(note) }),
      ...(lasts !== "once" && { lasts, rules: rules ?? [] }),
      ...(stop && { stop }),
    };
    await grant(call, rules, lasts);
    log.note({ type: "approval-decision", ...about, decision, decidedBy, ...said });
    return answer;
  } catch (error) {
    approvals.withdraw(pending.id);
    log.note({ type: "approval-decision", ...about, decision: "withdrawn", decidedBy: "caller" });
    throw error;
  } finally {
    await call.slot?.acquire();
  }
}

/** The rules that would let the call run unasked and say nothing more; undefined if there are none. */
async function findRules(
  { gate, host, resolved }: ResolvedCall,
  verdict: Verdict,
): Promise<readonly string[] | undefined> {
  // The question is about the sandbox, which rules say nothing about.
  if (verdict.decidedBy === "sandbox") return undefined;
  const { name: tool, tool: definition } = resolved.entry;
  const texts = suggestRules({ tool, runsCommands: definition.traits.runsCommands ?? false }, verdict);
  if (texts === undefined) return undefined;
  try {
    const rules = await host.grants.joinTexts(host.policy.rules, texts);
    return (await gate.wouldAllow(rules)) ? texts : undefined;
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}

async function grant(
  { host: { grants, policy } }: ResolvedCall,
  rules: readonly string[] | undefined,
  lasts: ApprovalLasts,
): Promise<void> {
  if (rules === undefined || lasts === "once") return;
  if (lasts === "session") return grants.addToSession(rules);
  await grants.keep(rules);
  await policy.refresh?.();
}

/**
 * Asks whether a command that the sandbox stopped may run again in a wider profile. Returns who approved it, or undefined
 * if nobody did. The call's deadline is paused while it waits.
 */
export async function requestEscalation(
  call: ResolvedCall,
  profile: SandboxProfile,
  why: string,
): Promise<string | undefined> {
  const { verdict, deadline } = call;
  if (verdict === undefined || !isAttended(call) || deadline.signal.aborted) return undefined;
  const question = {
    ...verdict,
    decision: "ask",
    decidedBy: "sandbox",
    reason: `${why} Approve to run it again in profile ${profile}.`,
  } as const;
  deadline.pause();
  try {
    const { decision, by } = await requestApproval(call, question, (answer) =>
      Promise.race([answer, whenAborted(deadline.signal)]),
    );
    await call.host.policy.refresh?.();
    return decision === "allow" ? by : undefined;
  } catch (error) {
    if (deadline.signal.aborted) return undefined;
    throw error;
  } finally {
    deadline.resume();
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Measures a wait for a person, which counts neither as the call's duration nor as its running time. */
export async function timeAsking<Answer>(call: Call, answer: Promise<Answer>): Promise<Answer> {
  const sinceMs = performance.now();
  try {
    return await answer;
  } finally {
    call.askedMs = (call.askedMs ?? 0) + performance.now() - sinceMs;
  }
}
