import { refusal } from "./authorize.ts";
import type { ResolvedCall } from "./call.ts";
import { decideOn } from "./find-verdict.ts";

/** Lets the call touch what its tool declared, which was decided before it ran; any other path is decided now. */
export async function admitPath(call: ResolvedCall, action: "read" | "write", path: string): Promise<void> {
  if (call.declared?.some((request) => request.action === action && request.target === path)) return;
  const verdict = await decideOn(call, [{ action, target: path }]);
  if (verdict.decision === "allow") return;
  throw refusal(call, { ...verdict, reason: `${path}: ${verdict.reason}` });
}
