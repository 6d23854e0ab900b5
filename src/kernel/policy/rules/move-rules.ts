import { join } from "node:path";
import { indexRules } from "./index-rules.ts";
import type { Rule, Rules } from "./rule.ts";

/**
 * Rules for a copy of a workspace: a deny or ask rule on a path of the workspace also applies to that path in the copy,
 * even if the rule gives it as an absolute path. Allow rules are not extended.
 */
export function moveRules({ allow, ask, deny }: Rules, workspace: string): Rules {
  return indexRules({
    allow,
    ask: ask.map((rule) => moveRule(rule, workspace)),
    deny: deny.map((rule) => moveRule(rule, workspace)),
  });
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
