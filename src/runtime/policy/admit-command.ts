import type { PermissionClass } from "../../tool/permission-request.ts";
import { refusal } from "../pipeline/authorize.ts";
import type { ResolvedCall, ScriptPlace } from "../pipeline/call.ts";
import { decideOn } from "../pipeline/find-verdict.ts";
import { scriptKey } from "../pipeline/script-key.ts";
import type { SandboxProfile } from "../sandbox/sandbox.ts";
import type { Bounds } from "../services/processes/process-use.ts";
import type { Verdict } from "./verdict.ts";

/** Lets the call run the command its tool declared, which was decided before; any other is decided now. */
export async function admitCommand(
  call: ResolvedCall,
  command: string,
  directory: string | undefined,
): Promise<Bounds> {
  const decided = call.scripts?.get(scriptKey(command, directory));
  if (decided !== undefined && call.verdict !== undefined) {
    return boundsOf(call.verdict, decided);
  }
  const request = { action: "execute", target: command, script: "bash" } as const;
  const verdict = await decideOn(call, [{ ...request, ...(directory !== undefined && { directory }) }]);
  // Whoever let a tool do anything at all has let it run this too, unless that is forbidden outright.
  const isCovered = call.isApproved === true && call.verdict?.effects.opaque === true;
  if (verdict.decision === "deny" || (verdict.decision === "ask" && !isCovered)) throw refusal(call, verdict);
  return boundsOf(verdict, call.scripts!.get(scriptKey(command, directory))!);
}

/** The class of what a command does chooses its bounds; no verdict removes them. */
const profiles: Record<PermissionClass, SandboxProfile> = {
  read: "read-only",
  interact: "read-only",
  write: "workspace-write",
  network: "network",
  execute: "network",
};

function boundsOf({ permissionClass, category, effects }: Verdict, place: ScriptPlace): Bounds {
  return {
    // What writes weighs more than what calls out, and may do both.
    profile: effects.hosts.length > 0 ? "network" : profiles[permissionClass],
    ...place,
    ...(category !== undefined && { category }),
  };
}
