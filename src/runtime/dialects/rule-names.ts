import type { RuleNames, RuleSubject } from "../policy/rules/parse-rules.ts";
import type { Registry } from "../registry/registry.ts";
import type { Dialect } from "./dialect.ts";
import type { DialectView } from "./dialect-view.ts";
import { allDialectNames, dialects } from "./dialects.ts";
import { createNameLookup } from "./name-lookup.ts";

/** The names that rules may use: those of every dialect, not only the session's. */
export function ruleNames(
  spoken: Dialect,
  {
    registry,
    nearest,
    ruleSubjects,
  }: {
    registry: Registry;
    nearest: DialectView["nearest"];
    /** What rules on some tools are about, by canonical name. Default: the paths that the tool touches. */
    ruleSubjects: ReadonlyMap<string, RuleSubject>;
  },
): RuleNames {
  const dialectNames = allDialectNames();
  const lookups = [spoken, ...dialects].map((dialect) => createNameLookup(dialect, registry));

  const canonicalName = (name: string): string | undefined => {
    if (callsBesideTools.includes(name)) return name;
    for (const { locate } of lookups) {
      const located = locate(name);
      if (located !== undefined) return located.entry.name;
    }
    // A dialect's name also means a tool that replaced the built-in one.
    return registry.findExact(dialectNames.get(name) ?? name)?.name;
  };

  const namesOf = (tool: string): readonly string[] => {
    const entry = registry.findExact(tool);
    if (entry === undefined) return [tool];
    const inDialects = [...dialectNames.keys()].filter((name) => dialectNames.get(name) === tool);
    const offered = lookups.map(({ offer }) => offer(entry).offeredName);
    // An alias may be the name of another tool, which takes precedence.
    const leadsHere = (name: string) => canonicalName(name) === tool;
    return [tool, ...[...entry.tool.aliases, ...inDialects, ...offered].filter(leadsHere)];
  };

  return {
    canonicalName,
    namesOf,
    tools: () => [...registry.list().map(({ name }) => name), ...callsBesideTools],
    nearest,
    subjectOf: (tool) => {
      const runsCommands = registry.findExact(tool)?.tool.traits.runsCommands ?? false;
      return runsCommands ? "command" : (ruleSubjects.get(tool) ?? "path");
    },
  };
}

// Not registered as tools, but called like them.
const callsBesideTools = ["undo", "redo"];
