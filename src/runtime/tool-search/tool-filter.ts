import { type RuleNames, toolMatcher } from "../policy/rules/parse-rules.ts";
import type { Registry } from "../registry/registry.ts";

/** Tells of a tool, by its canonical name, whether it may be used. */
export type ToolFilter = (tool: string) => boolean;

/**
 * The tools of these names, in any dialect, and of these patterns, such as `mcp__github__*`. An unknown name is an error,
 * since it would only ever leave something out that was meant.
 */
export function createToolFilter(
  given: readonly string[],
  { where, names, registry }: { where: string; names: RuleNames; registry: Pick<Registry, "revision"> },
): ToolFilter {
  checkNames(given, where);
  const matchers = given.map((name) => toolMatcher(name, { where, names }));
  // Asked of every tool with every step; a pattern looks at each of a tool's names.
  let known = new Map<string, boolean>();
  let revision: number | undefined;
  return (tool) => {
    if (revision !== registry.revision) {
      known = new Map();
      revision = registry.revision;
    }
    const isMeant = known.get(tool) ?? matchers.some((matches) => matches(tool));
    known.set(tool, isMeant);
    return isMeant;
  };
}

function checkNames(given: unknown, where: string): void {
  if (Array.isArray(given) && given.every((name) => typeof name === "string")) return;
  throw new TypeError(`${where} must be a list of names; received ${JSON.stringify(given)}`);
}
