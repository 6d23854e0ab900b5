import { moveRules } from "../rules/move-rules.ts";
import type { PolicyScopes } from "./policy-scopes.ts";
import type { ScopedPolicy } from "./scoped-policy.ts";

/** The policy for a copy of the workspace, in which its rules hold as well. */
export function movePolicy(source: PolicyScopes, workspace: string): PolicyScopes {
  let from: ScopedPolicy | undefined;
  let moved: ScopedPolicy | undefined;
  return {
    get current() {
      if (moved === undefined || from !== source.current) {
        from = source.current;
        moved = { ...from, rules: moveRules(from.rules, workspace) };
      }
      return moved;
    },
    problems: source.problems,
    refresh: source.refresh,
  };
}
