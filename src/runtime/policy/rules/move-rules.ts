import { join } from "node:path";
import type { Rule, Rules } from "./rule.ts";

/**
 * Rules for a copy of a workspace: what restricts a path of the workspace restricts the same path of the copy, also where
 * the rule names it from the root of the disk. What allows it does not.
 */
export function moveRules({ allow, ask, deny }: Rules, workspace: string): Rules {
  return {
    allow,
    ask: ask.map((rule) => moveRule(rule, workspace)),
    deny: deny.map((rule) => moveRule(rule, workspace)),
  };
}

function moveRule(rule: Rule, workspace: string): Rule {
  const { matchesPath } = rule;
  if (matchesPath === undefined) return rule;
  return {
    ...rule,
    matchesPath: (path) => {
      if (matchesPath(path)) return true;
      const { relative } = path;
      return relative !== undefined && matchesPath({ relative, absolute: join(workspace, relative) });
    },
  };
}
