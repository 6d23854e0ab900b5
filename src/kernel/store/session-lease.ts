import { parseObject } from "./parse-stored.ts";
import type { SessionLease, VariableWrite } from "./store.ts";

/** The scope of leases, which are variables named by their session; a session of an older version has none. */
export const leaseScope = "session-owners";

/** Records a lease or, in a claim, requires it. */
export function leaseWrite(sessionId: string, lease: SessionLease | undefined): VariableWrite {
  return { scope: leaseScope, name: sessionId, value: lease };
}

/** Parses a lease. A damaged one locks no process out: the next owner begins a new count, far from the old one. */
export function parseLease(text: unknown): SessionLease {
  const lease = parseObject(text);
  if (typeof lease?.fence !== "number") return { fence: Date.now(), isDamaged: true };
  return lease as unknown as SessionLease;
}
