import { cacheUntilChange } from "../../shared/cache-until-change.ts";
import { createDialectView, type Dialect, type DialectView } from "../dialects/index.ts";
import { type RuleNames, toolMatcher } from "../policy/index.ts";
import type { RegisteredTool, Registry } from "../registry/index.ts";
import { createToolSearch, type SearchingParts } from "./open-tools.ts";
import type { ToolSearchParts } from "./session-tools.ts";

/** Finding tools by name and by search. */
export interface ToolAccess {
  readonly view: DialectView;
  readonly toolSearch: ToolSearchParts;
}

/** Hides all but the allowed tools. A call of a hidden one gets an error that names the allowed tools. */
export function limitTools(
  allows: ToolFilter,
  { registry: all, view: wholeView, dialect, ...searching }: AllTools,
): ToolAccess {
  const registry = filterRegistry(all, allows);
  const view = createDialectView(dialect, registry);
  const unknownTool: DialectView["unknownTool"] = (name, nearest) => {
    if (wholeView.resolve(name) === undefined) return view.unknownTool(name, nearest);
    const allowed = registry.list().map((entry) => view.nameOf(entry.name));
    return notAllowed(name, allowed);
  };
  return { view: { ...view, unknownTool }, toolSearch: createToolSearch({ ...searching, registry, view }) };
}

interface AllTools extends Omit<SearchingParts, "registry" | "beforeSearch"> {
  readonly registry: Registry;
  readonly dialect: Dialect;
}

function filterRegistry(registry: Registry, allows: ToolFilter): Parameters<typeof createDialectView>[1] {
  const ifAllowed = (entry: RegisteredTool | undefined) => (entry && allows(entry.name) ? entry : undefined);
  return {
    find: (name) => ifAllowed(registry.find(name)),
    findExact: (name) => ifAllowed(registry.findExact(name)),
    list: () => registry.list().filter(({ name }) => allows(name)),
    absenceOf: (name) => (allows(name) ? registry.absenceOf(name) : undefined),
    get revision() {
      return registry.revision;
    },
  };
}

const maxNamed = 30;

function notAllowed(name: string, names: readonly string[]): string {
  if (names.length === 0) return `${name} is not allowed here, and neither is any other tool`;
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return `${name} is not allowed here; allowed: ${names.slice(0, maxNamed).join(", ")}${more}`;
}

/** Whether a tool, by its canonical name, may be used. */
export type ToolFilter = (tool: string) => boolean;

/**
 * Accepts tools by name, in any dialect, and by pattern, such as `mcp__github__*`. An unknown name is an error, because
 * it would silently leave out the tool that was meant.
 */
export function createToolFilter(
  given: readonly string[],
  { names, registry, isRestricting = false }: FilterParts,
): ToolFilter {
  checkNames(given);
  const matchers = given.map((name) => toolMatcher(name, { where: "tools", names, isRestricting }));
  // Cached: every tool is checked with every step, and a pattern is tried on each of its names.
  return cacheUntilChange(
    () => registry.revision,
    (tool: string) => matchers.some((matches) => matches(tool)),
  );
}

interface FilterParts {
  readonly names: RuleNames;
  readonly registry: Pick<Registry, "revision">;
  /** The tools are meant to be refused, so the names bind every tool that has, or had, one of them. */
  readonly isRestricting?: boolean;
}

function checkNames(given: unknown): void {
  if (Array.isArray(given) && given.every((name) => typeof name === "string")) return;
  throw new TypeError(`tools must be a list of names; received ${JSON.stringify(given)}`);
}
