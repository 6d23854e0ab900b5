import { dirname } from "node:path";
import type { Place } from "../../../machine/paths/place.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Rule, Rules } from "../../policy/rules/rule.ts";

/**
 * The policy for taking back what these tools have changed. Rules and mode are looked up each time: they may change while a
 * person decides on it.
 */
export function policyFor(policy: Policy, tools: readonly string[] | undefined): Policy {
  const { paths } = policy;
  let bound: { readonly from: Rules; readonly rules: Rules } | undefined;
  return {
    ...policy,
    get current() {
      const { current } = policy;
      const { rules: from } = current;
      if (tools === undefined) return current;
      if (bound?.from !== from) bound = { from, rules: bindAs(from, tools) };
      return { ...current, rules: bound.rules };
    },
    resolveForVerdict: (path, options) => resolveNearest(paths, path, options),
  };
}

/** Rules for a tool apply to the undo of its calls too. Of several tools, one is enough to deny; to allow, it takes all. */
function bindAs({ deny, ask, allow }: Rules, doneBy: readonly string[]): Rules {
  const bind = (rule: Rule, applies: boolean): Rule => ({
    ...rule,
    matchesTool: (tool) => rule.matchesTool(tool) || applies,
  });
  const toAny = (rule: Rule) =>
    bind(
      rule,
      doneBy.some((each) => rule.matchesTool(each)),
    );
  const toAll = (rule: Rule) =>
    bind(rule, doneBy.length > 0 && doneBy.every((each) => rule.matchesTool(each)));
  return { deny: deny.map(toAny), ask: ask.map(toAny), allow: allow.map(toAll) };
}

/** If a parent folder is no longer a folder, resolves the nearest path that exists; reverting finds the conflict. */
async function resolveNearest(
  paths: Policy["paths"],
  path: string,
  options: Parameters<Policy["paths"]["resolve"]>[1],
): Promise<Place> {
  try {
    return await paths.resolve(path, options);
  } catch (error) {
    const isBlocked = error instanceof ToolError && error.code === "not-a-directory";
    if (!isBlocked || dirname(path) === path) throw error;
    return resolveNearest(paths, dirname(path), options);
  }
}
