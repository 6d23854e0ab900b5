import type { Eventually } from "../../shared/eventually.ts";
import {
  type PermissionClass,
  type PermissionRequest,
  permissionClasses,
} from "../../tool/permission-request.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { decide, type JudgedRequest } from "../permissions/decide.ts";
import type { Verdict } from "../permissions/verdict.ts";
import type { HookAnswers } from "./before-hooks.ts";
import { type ResolvedCall, toolOf } from "./call.ts";

/** The verdict by floor, rules, hooks and mode on what the tool says it would touch; no person is asked. */
export function findVerdict(call: ResolvedCall, answers: HookAnswers): Eventually<Verdict> {
  const { requests, opaque } = requestsOf(call);
  call.declared = requests;
  return decideOn(call, requests, { opaque, answers });
}

/** The verdict on these requests, once it is known where their paths really lead. */
export function decideOn(
  call: ResolvedCall,
  requests: readonly PermissionRequest[],
  { opaque = false, answers = {} }: { opaque?: boolean; answers?: HookAnswers } = {},
): Eventually<Verdict> {
  const { rules, mode } = call.environment;
  const tool = call.resolved.entry.name;
  const asked = call.request.isDryRun ? requests.map(asPreview) : requests;
  const rule = (judged: readonly JudgedRequest[]) =>
    decide({ tool, requests: judged, opaque, rules, mode, ...(answers.ruling && { hook: answers.ruling }) });
  if (!asked.some(namesPath)) return rule(asked);
  return Promise.all(asked.map((request) => judge(call, request))).then(rule);
}

/** A preview only looks; where it looks is still decided. */
function asPreview(request: PermissionRequest): PermissionRequest {
  return { ...request, action: "read" };
}

function requestsOf(call: ResolvedCall): { requests: readonly PermissionRequest[]; opaque: boolean } {
  const { permission, traits } = toolOf(call);
  if (permission !== undefined) {
    const declared = declare(() => permission(call.input));
    const requests = Array.isArray(declared) ? declared : [declared];
    if (!requests.every(isRequest))
      throw new ToolError("permission-denied", "the tool did not say what it would touch");
    if (requests.length > 0) return { requests, opaque: false };
  }
  if (traits.openWorld) return { requests: [{ action: "network" }], opaque: !traits.readOnly };
  if (traits.readOnly) return { requests: [{ action: "read" }], opaque: false };
  // A tool that says nothing of itself may do anything.
  return { requests: [{ action: "execute" }], opaque: true };
}

function isRequest(request: unknown): boolean {
  return permissionClasses.includes((request as PermissionRequest | undefined)?.action as PermissionClass);
}

function declare<Requests>(permission: () => Requests): Requests {
  try {
    return permission();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("permission-denied", `the tool could not say what it would touch: ${why}`, { cause });
  }
}

async function judge(call: ResolvedCall, request: PermissionRequest): Promise<JudgedRequest> {
  if (!namesPath(request)) return request;
  const { action, target, isLinkItself = false } = request;
  return { ...request, ...(await call.environment.judgePath(target, { action, followLast: !isLinkItself })) };
}

type PathRequest = PermissionRequest & { readonly action: "read" | "write"; readonly target: string };

function namesPath(request: PermissionRequest): request is PathRequest {
  return request.target !== undefined && (request.action === "read" || request.action === "write");
}
