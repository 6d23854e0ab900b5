import { cacheUntilChange } from "../../shared/cache-until-change.ts";
import { type RuleNames, toolMatcher } from "../policy/rules/parse-rules.ts";
import type { Registry } from "../registry/registry.ts";

/** Whether a tool, by its canonical name, may be used. */
export type ToolFilter = (tool: string) => boolean;

/**
 * Accepts tools by name, in any dialect, and by pattern, such as `mcp__github__*`. An unknown name is an error, because
 * it would silently leave out the tool that was meant.
 */
export function createToolFilter(
  given: readonly string[],
  { where, names, registry, isRestricting = false }: FilterParts,
): ToolFilter {
  checkNames(given, where);
  const matchers = given.map((name) => toolMatcher(name, { where, names, isRestricting }));
  // Cached: every tool is checked with every step, and a pattern is tried on each of its names.
  return cacheUntilChange(
    () => registry.revision,
    (tool: string) => matchers.some((matches) => matches(tool)),
  );
}

export interface FilterParts {
  readonly where: string;
  readonly names: RuleNames;
  readonly registry: Pick<Registry, "revision">;
  /** The tools are meant to be refused, so the names bind every tool that has, or had, one of them. */
  readonly isRestricting?: boolean;
}

function checkNames(given: unknown, where: string): void {
  if (Array.isArray(given) && given.every((name) => typeof name === "string")) return;
  throw new TypeError(`${where} must be a list of names; received ${JSON.stringify(given)}`);
}
