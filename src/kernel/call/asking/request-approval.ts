import type { SandboxProfile } from "../../../machine/sandbox/index.ts";
import { sha256 } from "../../../shared/crypto.ts";
import { CallerGaveUp } from "../../../shared/deadline.ts";
import { canonicalJson, isPlainObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { descriptionOf } from "../../../tool/description-of.ts";
import {
  type ApprovalLasts,
  type NewRequest,
  newApproval,
  type PersonDecision,
  type RequestBinding,
} from "../../people/index.ts";
import { loopGuard, RuleError, suggestRules, type Verdict } from "../../policy/index.ts";
import type { Consent } from "../../services/index.ts";
import { calledTool, type ResolvedCall, toolOf } from "../call.ts";
import { copyInput } from "../copy-input.ts";
import { maskCaller, maskVerdict, recordInput } from "../journal.ts";
import { notifyOfCall } from "./notify.ts";

/** About what only a running call can know, so that no rule and no later call can have the answer. */
const askedWhileRunning: ReadonlySet<string> = new Set(["sandbox", "made tool"]);

/** Whether a person or a handler can approve this call. */
export function canBeAsked({ host, request }: ResolvedCall): boolean {
  return host.people.approvals.isAnswered || request.onApproval !== undefined;
}

interface Asking {
  wait<Answer>(answer: Promise<Answer>): Promise<Answer>;
  /** A diff of what would change, with secrets masked. */
  readonly preview?: string | undefined;
}

interface Answer extends PersonDecision {
  /** Makes it last as long as the person said: once it is certain that they were shown the files as they are. */
  keep(): Promise<void>;
}

/** Asks for a decision on the call and records both. The call gives up its slot while it waits. */
export async function requestApproval(
  call: ResolvedCall,
  verdict: Verdict,
  { wait, preview }: Asking,
): Promise<Answer> {
  const { people, log, redactor } = call.host;
  const { approvals } = people;
  const { id: callId, input } = call;
  const binding = bindingOf(call, verdict);
  const described = await describeRequest(call, verdict, preview);
  const { rules } = described;
  const pending = approvals.request(described, {
    signal: call.deadline.signal,
    handler: call.request.onApproval,
    binding,
  });
  const about = { callId, approvalId: pending.id };
  call.slot?.release();
  try {
    const { inputHash } = recordInput(call);
    const kept = { input: redactor.value(input), inputHash, reason: redactor.text(verdict.reason) };
    const by = { verdict: maskVerdict(call, verdict), caller: maskCaller(call), run: call.host.run.id };
    const shown = preview === undefined ? {} : { preview };
    people.onApproval("asked");
    await log.append([{ type: "approval-request", ...calledTool(call), ...about, ...kept, ...by, ...shown }]);
    notifyOfCall(call, { ...described, id: pending.id, requestedAt: pending.requestedAt }, { isLeft: false });
    const answer = await call.deadline.whileAsking(wait(pending.decision));
    if (binding !== undefined) call.heldAnswer = binding.key;
    const { decision, by: decidedBy, note, lasts = "once", stop } = answer;
    const said = {
      ...(note !== undefined && { note: redactor.text(note) }),
      ...(lasts !== "once" && { lasts, rules: rules ?? [] }),
      ...(stop && { stop }),
    };
    people.onApproval(decision);
    log.note({ type: "approval-decision", ...about, decision, decidedBy, ...said });
    return { ...answer, keep: () => grant(call, rules, lasts) };
  } catch (error) {
    approvals.withdraw(pending.id);
    people.onApproval("withdrawn");
    log.note({ type: "approval-decision", ...about, decision: "withdrawn", decidedBy: "caller" });
    throw error;
  } finally {
    await call.slot?.acquire();
  }
}

async function describeRequest(
  call: ResolvedCall,
  verdict: Verdict,
  preview: string | undefined,
): Promise<NewRequest> {
  const rules = await findRules(call, verdict);
  const { id: callId, caller, input, host } = call;
  return {
    callId,
    sessionId: host.session.id,
    caller,
    tool: call.resolved.entry.name,
    input: copyInput(input),
    // A default that another author chose may be the dangerous part.
    defaults: call.resolved.entry.layer === "builtin" ? defaultsIn(input, toolOf(call).inputSchema) : [],
    verdict,
    ...(preview !== undefined && { preview }),
    ...(rules && { rules }),
  };
}

/** Names of arguments that equal their defaults. Never of free text, which may say anything. */
export function defaultsIn(input: unknown, { properties = {} }: JsonSchema): string[] {
  if (!isPlainObject(input)) return [];
  return Object.entries(input)
    .filter(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (typeof schema !== "object" || schema.default !== value) return false;
      return typeof value === "string" ? schema.enum?.includes(value) === true : typeof value !== "object";
    })
    .map(([name]) => name);
}

/** Undefined if no other process could answer, or if the input cannot be told from another. */
function bindingOf(call: ResolvedCall, { decidedBy, directory }: Verdict): RequestBinding | undefined {
  const { kept } = call.host.people.approvals;
  // A command that the sandbox stopped has begun already, and a loop concerns only this one call.
  if (askedWhileRunning.has(decidedBy) || decidedBy === loopGuard) return undefined;
  const { input, inputHash } = recordInput(call);
  if (kept === undefined || input === "[not JSON]") return undefined;
  const { workspace } = call.host.session;
  const { name: tool } = call.resolved.entry;
  const { isDryRun = false } = call.request;
  const bound = [workspace, kept.clientOf(call.caller), tool, inputHash, isDryRun];
  // The same words do something else in another folder, or where a tool of that name is another one by now.
  const state = [call.gate.shownState, directory ?? "", definitionOf(call.resolved.entry, call)];
  return { key: sha256(canonicalJson(bound)), state: sha256(canonicalJson(state)), workspace };
}

/** What a tool says of itself; functions in its traits are left out. */
export function definitionOf(
  { tool, versionOf }: ResolvedCall["resolved"]["entry"],
  { host }: ResolvedCall,
): string {
  return JSON.stringify([descriptionOf(tool, host.session), tool.inputSchema, tool.traits, versionOf?.()]);
}

/**
 * The answer to an earlier request of the same client for the same call, if the process that asked is gone or could ask
 * no person.
 */
export async function recallAnswer(
  call: ResolvedCall,
  verdict: Verdict,
): Promise<Pick<Verdict, "decision" | "decidedBy" | "reason"> | undefined> {
  const binding = bindingOf(call, verdict);
  const answer = binding && (await call.host.people.approvals.kept?.take(binding));
  if (binding === undefined || answer === undefined) return undefined;
  call.heldAnswer = binding.key;
  const { decision, by, note } = answer;
  const said = `${by} said ${decision === "allow" ? "yes" : "no"}${note === undefined ? "" : `: ${note}`}`;
  return { decision, decidedBy: by, reason: `${said}, before this call (asked because ${verdict.reason})` };
}

/** Leaves the request for a person who comes later. Returns the command that approves it. */
export async function leaveRequest(
  call: ResolvedCall,
  verdict: Verdict,
  preview: string | undefined,
): Promise<string | undefined> {
  const binding = bindingOf(call, verdict);
  const { kept } = call.host.people.approvals;
  if (binding === undefined || kept === undefined) return undefined;
  const request = newApproval(await describeRequest(call, verdict, preview));
  const id = await kept.leave(request, binding);
  if (id === request.id) notifyOfCall(call, request, { isLeft: true });
  return kept.howToAnswer(id);
}

/** The rules that would let the call run unasked and say nothing more; undefined if there are none. */
async function findRules(
  { gate, host, resolved }: ResolvedCall,
  verdict: Verdict,
): Promise<readonly string[] | undefined> {
  // The question is about the sandbox, which rules say nothing about.
  if (askedWhileRunning.has(verdict.decidedBy)) return undefined;
  const { name: tool, tool: definition, layer } = resolved.entry;
  const about = { tool, runsCommands: definition.traits.runsCommands ?? false, isOfServer: layer === "mcp" };
  const texts = suggestRules(about, verdict);
  // A rule is stored as it is.
  if (texts === undefined || texts.some((text) => host.redactor.text(text) !== text)) return undefined;
  try {
    const rules = await host.people.grants.joinTexts(host.policy.current.rules, texts);
    return (await gate.wouldAllow(rules)) ? texts : undefined;
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}

async function grant(
  { host: { people, policy } }: ResolvedCall,
  rules: readonly string[] | undefined,
  lasts: ApprovalLasts,
): Promise<void> {
  if (rules === undefined || lasts === "once") return;
  if (lasts === "session") return people.grants.addToSession(rules);
  await people.grants.keep(rules);
  await policy.refresh?.();
}

/**
 * Asks whether a command that the sandbox stopped may run again in a wider profile. Returns who approved it, or
 * undefined without an approval.
 */
export async function requestEscalation(
  call: ResolvedCall,
  profile: SandboxProfile,
  why: string,
): Promise<string | undefined> {
  const reason = `${why} Approve to run it again in profile ${profile}.`;
  // The first run may have changed what the second would use; the person approves the files as they are now.
  await call.gate.look();
  const answer = await requestConsent(call, "sandbox", reason);
  return answer?.decision === "allow" ? answer.by : undefined;
}

/**
 * Asks a person about a step that a call is about to take; undefined if no person can be asked. The call's deadline is
 * paused while it waits.
 */
export async function requestConsent(
  call: ResolvedCall,
  decidedBy: string,
  reason: string,
): Promise<Consent | undefined> {
  const { verdict, deadline } = call;
  if (verdict === undefined || !canBeAsked(call) || deadline.signal.aborted) return undefined;
  const question = { ...verdict, decision: "ask", decidedBy, reason } as const;
  deadline.pause();
  try {
    const answer = await requestApproval(call, question, {
      wait: (answer) => Promise.race([answer, whenAborted(deadline.signal)]),
    });
    await call.host.policy.refresh?.();
    return answer;
  } catch (error) {
    // Without an answer, the work done so far stays the call's result.
    if (deadline.signal.aborted || error instanceof CallerGaveUp) return undefined;
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
