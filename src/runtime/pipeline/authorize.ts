import type { Eventually } from "../../shared/eventually.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { decide, type JudgedRequest } from "../permissions/decide.ts";
import type { Verdict } from "../permissions/verdict.ts";
import type { HookAnswers } from "./before-hooks.ts";
import { type ResolvedCall, toolOf } from "./call.ts";

/** Stage 4: lets the call through, or says who did not and why. Waits for a person where that is asked for. */
export function authorize(call: ResolvedCall, answers: HookAnswers): Eventually<void> {
  const verdict = findVerdict(call, answers);
  const enforceIt = (found: Verdict) => enforce(call, found, answers);
  return verdict instanceof Promise ? verdict.then(enforceIt) : enforceIt(verdict);
}

function enforce(call: ResolvedCall, verdict: Verdict, { instead }: HookAnswers): Eventually<void> {
  call.verdict = verdict;
  if (verdict.decision === "deny") throw denied(call, verdict);
  // What a hook answers in the tool's place touches nothing, so there is nothing to ask about.
  if (verdict.decision === "ask" && instead === undefined) return askPerson(call, verdict);
}

/** The verdict by floor, rules, hooks and mode, before any person was asked. */
export function findVerdict(call: ResolvedCall, { ruling }: HookAnswers): Eventually<Verdict> {
  const { rules, mode } = call.environment;
  const { requests, opaque } = requestsOf(call);
  const tool = call.resolved.entry.name;
  const rule = (judged: readonly JudgedRequest[]) =>
    decide({ tool, requests: judged, opaque, rules, mode, ...(ruling && { hook: ruling }) });
  if (!requests.some(namesPath)) return rule(requests);
  return Promise.all(requests.map((request) => judge(call, request))).then(rule);
}

function requestsOf(call: ResolvedCall): { requests: readonly PermissionRequest[]; opaque: boolean } {
  const { permission, traits } = toolOf(call);
  if (permission !== undefined) {
    const declared = declare(() => permission(call.input));
    const requests = Array.isArray(declared) ? declared : [declared];
    if (requests.length > 0) return { requests, opaque: false };
  }
  if (traits.openWorld) return { requests: [{ action: "network" }], opaque: !traits.readOnly };
  if (traits.readOnly) return { requests: [{ action: "read" }], opaque: false };
  // A tool that says nothing of itself may do anything.
  return { requests: [{ action: "execute" }], opaque: true };
}

function declare<Requests>(permission: () => Requests): Requests {
  try {
    return permission();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("permission-denied", `the tool could not say what it would touch: ${why}`, { cause });
  }
}

/** Where a path really leads is found out before anything is decided about it. */
async function judge(call: ResolvedCall, request: PermissionRequest): Promise<JudgedRequest> {
  if (!namesPath(request)) return request;
  return { ...request, ...(await call.environment.judgePath(request.target, request.action)) };
}

function namesPath(request: PermissionRequest): request is { action: "read" | "write"; target: string } {
  return request.target !== undefined && (request.action === "read" || request.action === "write");
}

async function askPerson(call: ResolvedCall, verdict: Verdict): Promise<void> {
  const { approvals, log, redactor, session } = call.environment;
  const tool = call.resolved.entry.name;
  if (!approvals.isAnswered) {
    throw new ToolError(
      "approval-needed",
      `${call.resolved.spokenName} needs approval and there is nobody to ask: ${verdict.reason}`,
      {
        hint: "Allow it by a rule or another mode, or run where somebody can answer.",
      },
    );
  }
  const { signal } = call.deadline;
  const pending = approvals.request(
    { callId: call.id, sessionId: session.id, tool, input: call.input, verdict },
    signal,
  );
  const about = { callId: call.id, approvalId: pending.id };
  await log.append([
    { type: "approval-requested", ...about, tool, input: redactor.value(call.input), reason: verdict.reason },
  ]);
  call.slot?.release();
  try {
    const { decision, by, note } = await call.deadline.race(pending.decision);
    log.note({
      type: "approval-decided",
      ...about,
      decision,
      decidedBy: by,
      ...(note !== undefined && { note }),
    });
    const said = note === undefined ? "" : `: ${note}`;
    const reason = `${by} said ${decision}${said} (asked because ${verdict.reason})`;
    call.verdict = { ...verdict, decision, decidedBy: by, reason };
  } catch (error) {
    approvals.withdraw(pending.id);
    log.note({ type: "approval-decided", ...about, decision: "withdrawn", decidedBy: "caller" });
    throw error;
  } finally {
    await call.slot?.acquire();
  }
  if (call.verdict.decision === "deny") throw denied(call, call.verdict);
}

function denied({ resolved }: ResolvedCall, { reason, decidedBy }: Verdict): ToolError {
  return new ToolError("permission-denied", `${resolved.spokenName} was denied by ${decidedBy}: ${reason}`, {
    hint: "Do not try the same thing another way; ask the person if it is needed.",
  });
}
