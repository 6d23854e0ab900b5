import { resolve } from "node:path";
import { refusal } from "../pipeline/authorize.ts";
import type { ResolvedCall } from "../pipeline/call.ts";
import { decideOn } from "../pipeline/find-verdict.ts";
import type { TouchAction } from "../services/files/file-scope.ts";
import { moved } from "./paths/open-contained.ts";
import type { Verdict } from "./verdict.ts";

/** Lets the call touch what its tool declared, which was decided before it ran; any other path is decided now. */
export async function admitPath(call: ResolvedCall, action: "read" | "write", path: string): Promise<void> {
  if (call.declared?.some((request) => request.action === action && request.target === path)) return;
  const verdict = await decideOn(call, [{ action, target: path }]);
  if (verdict.decision !== "allow") throw refusal(call, { ...verdict, reason: `${path}: ${verdict.reason}` });
  remember(call, verdict);
}

/**
 * Lets the call touch what a path has led to. Where that is not what was decided on, because somebody put a link there
 * since, it is decided now.
 */
export async function admitReached(
  call: ResolvedCall,
  action: TouchAction,
  canonical: string,
): Promise<void> {
  const isAdmitted = () => isRemembered(call, action, canonical);
  if (isAdmitted()) return;
  const request = {
    action: action === "list" ? "read" : action,
    target: canonical,
    isLinkItself: true,
  } as const;
  const verdict = await decideOn(call, [request]);
  if (verdict.decision !== "allow")
    throw refusal(call, { ...verdict, reason: `${canonical}: ${verdict.reason}` });
  remember(call, verdict);
  if (!isAdmitted()) throw moved(canonical);
}

function isRemembered(call: ResolvedCall, action: TouchAction, canonical: string): boolean {
  const { read, write } = admittedBy(call);
  // A preview only looks, and was decided on as looking.
  if (action === "read" || call.request.isDryRun) return read.has(canonical);
  // Who may change all that is in a folder may know its names.
  return write.has(canonical) || (action === "list" && read.has(canonical));
}

function remember(call: ResolvedCall, { effects }: Verdict): void {
  const { workspace } = call.environment.session;
  const { read, write } = admittedBy(call);
  for (const path of effects.reads) read.add(resolve(workspace, path));
  for (const path of effects.writes) write.add(resolve(workspace, path));
}

/** Begins with what the tool declared. */
function admittedBy(call: ResolvedCall): NonNullable<ResolvedCall["admitted"]> {
  if (call.admitted === undefined) {
    call.admitted = { read: new Set(), write: new Set() };
    if (call.verdict !== undefined) remember(call, call.verdict);
  }
  return call.admitted;
}
