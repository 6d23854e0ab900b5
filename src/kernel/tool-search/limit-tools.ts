import type { Dialect } from "../dialects/dialect.ts";
import { createDialectView, type DialectView } from "../dialects/dialect-view.ts";
import type { RegisteredTool, Registry } from "../registry/registry.ts";
import { createToolSearch, type SearchingParts } from "./open-tools.ts";
import type { ToolSearchParts } from "./session-tools.ts";
import type { ToolFilter } from "./tool-filter.ts";

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
    return notAllowed(
      name,
      registry.list().map((entry) => view.nameOf(entry.name)),
    );
  };
  return { view: { ...view, unknownTool }, toolSearch: createToolSearch({ ...searching, registry, view }) };
}

interface AllTools extends Omit<SearchingParts, "registry" | "beforeSearch"> {
  readonly registry: Registry;
  readonly dialect: Dialect;
}

type ReadableRegistry = Pick<Registry, "find" | "findExact" | "list" | "revision" | "absenceOf">;

function filterRegistry(registry: Registry, allows: ToolFilter): ReadableRegistry {
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
