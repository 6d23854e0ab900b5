import type { Rules } from "../rules/rule.ts";

/** Whether the user has written a rule for this very host that does not deny it. */
export function isNamedByRule(host: string, { allow, ask }: Rules): boolean {
  return [...allow, ...ask].some(
    ({ isOneHost, matchesHost }) => isOneHost === true && matchesHost?.(host) === "yes",
  );
}
