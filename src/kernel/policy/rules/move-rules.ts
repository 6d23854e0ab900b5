import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { literalPaths } from "../confinement/literal-paths.ts";
import { indexRules } from "./index-rules.ts";
import type { Rule, RulePath, Rules } from "./rule.ts";

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

/**
 * Extends deny and ask rules that name a link to the place where the link leads now: the file there has other names, and a
 * sandbox keeps commands from files, not from names.
 */
export async function bindLinkTargets({ allow, ask, deny }: Rules, root: string): Promise<Rules> {
  const follow = (rules: readonly Rule[]) => Promise.all(rules.map((rule) => followOne(rule, root)));
  return indexRules({ allow, ask: await follow(ask), deny: await follow(deny) });
}

async function followOne(rule: Rule, root: string): Promise<Rule> {
  const { matchesPath } = rule;
  if (matchesPath === undefined) return rule;
  const places = await Promise.all(
    literalPaths(rule, root).map(async (path) => ({ path, real: await leadOf(path) })),
  );
  const led = places.filter(({ path, real }) => real !== path);
  if (led.length === 0) return rule;
  const matches = (tested: RulePath) =>
    matchesPath(tested) ||
    led.some(({ path, real }) => {
      const inside = relativeInside(real, tested.absolute);
      if (inside === undefined) return false;
      const absolute = join(path, inside);
      return matchesPath({ absolute, relative: relativeInside(root, absolute) });
    });
  return { ...rule, matchesPath: Object.assign(matches, matchesPath.names && { names: matchesPath.names }) };
}

/** The place where a path leads, or would lead if there were a file. */
async function leadOf(path: string): Promise<string> {
  const folder = () => realpath(dirname(path)).catch(() => dirname(path));
  return realpath(path).catch(async () => join(await folder(), basename(path)));
}
