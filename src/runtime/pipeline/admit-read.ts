import { refusal } from "./authorize.ts";
import type { ResolvedCall } from "./call.ts";
import { decideOn } from "./find-verdict.ts";

/** Lets the call read what its tool declared, which was decided before it ran; any other path is decided now. */
export async function admitRead(call: ResolvedCall, path: string): Promise<void> {
  if (call.declared?.some(({ action, target }) => action === "read" && target === path)) return;
  const verdict = await decideOn(call, [{ action: "read", target: path }]);
  if (verdict.decision === "allow") return;
  throw refusal(call, { ...verdict, reason: `${path}: ${verdict.reason}` });
}
