import type { ResolvedCall } from "../../pipeline/call.ts";
import type { SandboxProfile } from "../../sandbox/sandbox.ts";
import { isAttended, putToPerson } from "./put-to-person.ts";

/**
 * Asks the person whether a command that its sandbox stopped may run again with more rights. Who let it, or nobody. The
 * clock stands still while they think.
 */
export async function offerMoreRights(
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
    const { decision, by } = await putToPerson(call, question, (answer) =>
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
