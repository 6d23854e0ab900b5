import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { findUnknownKey } from "../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import {
  type PermissionClass,
  type PermissionRequest,
  permissionClasses,
  permissionRequestKeys,
} from "../../tool/permission-request.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { classWithoutDeclaration, type DecisionInput, type Verdict } from "../policy/index.ts";
import { type ResolvedCall, toolOf } from "./call.ts";

/** The verdict on what the tool declares it would touch, by floor, rules, hooks and mode. Asks no person. */
export function judgeCall(
  call: ResolvedCall,
  ruleOfStages?: (call: ResolvedCall) => DecisionInput["hook"],
): MaybePromise<Verdict> {
  const { requests, opaque } = declaredBy(call);
  const hook = call.answers.ruling ?? ruleOfStages?.(call);
  return call.gate.judge(requests, { opaque, hook });
}

/** The requests that the tool declares for this input. Throws if the declaration is invalid. */
export function declaredBy(call: ResolvedCall): {
  requests: readonly PermissionRequest[];
  opaque: boolean;
} {
  const { permission, traits } = toolOf(call);
  if (permission !== undefined) {
    const declared = declare(() => permission(call.input));
    const requests = Array.isArray(declared) ? declared : [declared];
    if (!requests.every(isRequest))
      throw new ToolError("permission-denied", "the tool did not declare what it would touch");
    for (const request of requests) refuseUnknown(request);
    if (requests.length > 0) return { requests, opaque: false };
  }
  return { requests: [{ action: classWithoutDeclaration(traits) }], opaque: !traits.readOnly };
}

function isRequest(request: unknown): boolean {
  return permissionClasses.includes((request as PermissionRequest | undefined)?.action as PermissionClass);
}

/** A misspelled target would leave a request that names nothing. */
function refuseUnknown(request: PermissionRequest): void {
  const unknown = findUnknownKey(request, permissionRequestKeys);
  if (unknown === undefined) return;
  throw new ToolError("permission-denied", `the tool did not declare what it would touch: ${unknown}`);
}

function declare<Requests>(permission: () => Requests): Requests {
  try {
    return permission();
  } catch (cause) {
    // Input that the schema cannot refuse, such as an invalid address.
    if (cause instanceof ToolError) throw cause;
    const why = describeThrown(cause);
    throw new ToolError("permission-denied", `the tool failed to declare what it would touch: ${why}`, {
      cause,
    });
  }
}
