import type { SandboxProfile } from "../sandbox/sandbox.ts";
import type { ResolvedCall } from "./call.ts";
import { isAttended, requestApproval } from "./request-approval.ts";

/**
 * Asks the person whether a command that its sandbox stopped may run again with more rights. Gives who allowed it,
 * or nothing where nobody did. The clock stands still while they think.
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
    reason: `${why} It can be run again with more rights: ${profile}`,
  } as const;
  deadline.pause();
  try {
    const { decision, by } = await requestApproval(call, question, (answer) =>
      Promise.race([answer, whenAborted(deadline.signal)]),
    );
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
