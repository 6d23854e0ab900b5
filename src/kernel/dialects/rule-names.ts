import { cacheUntilChange } from "../../shared/cache-until-change.ts";
import type { RuleNames, RuleSubject } from "../policy/index.ts";
import type { Registry } from "../registry/index.ts";
import type { Dialect } from "./dialect.ts";
import type { DialectView } from "./dialect-view.ts";
import { allDialectNames, dialects } from "./dialects.ts";
import { createNameLookup, type NameLookup } from "./name-lookup.ts";

/**
 * The names that rules may use: those of every dialect, whichever a session speaks. `spoken` grows when a session brings
 * its own dialect.
 */
export function ruleNames(
  spoken: readonly Dialect[],
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
  let known = { count: -1, lookups: [] as readonly NameLookup[], names: new Map<string, string>() };
  // Both only grow, so their sum changes with either.
  const changes = () => registry.revision + spoken.length;
  const inDialects = () => {
    if (known.count !== spoken.length) {
      const all = [...new Set([...spoken, ...dialects])];
      const lookups = all.map((dialect) => createNameLookup(dialect, registry));
      known = { count: spoken.length, lookups, names: allDialectNames(all) };
    }
    return known;
  };

  const canonicalName = (name: string): string | undefined => {
    if (callsBesideTools.includes(name)) return name;
    const { lookups, names } = inDialects();
    for (const { locate } of lookups) {
      const located = locate(name);
      if (located !== undefined) return located.entry.name;
    }
    // A dialect's name also means a tool that replaced the built-in one.
    return registry.findExact(names.get(name) ?? name)?.name;
  };

  // A name stands for the built-in tool that some dialect calls so, even if another tool has taken it since.
  const protectedTool = (name: string) => inDialects().names.get(name) ?? name;
  // Rules are tried with every call, and the tools seldom change.
  const currentName = cacheUntilChange(changes, canonicalName);
  const restricts = (name: string, tool: string) =>
    protectedTool(name) === protectedTool(tool) || currentName(name) === tool;

  const protectedNamesOf = (tool: string): readonly string[] => {
    const original = protectedTool(tool);
    const { lookups, names } = inDialects();
    const spokenNames = [...names.keys()].filter((name) => names.get(name) === original);
    const entry = registry.findExact(tool);
    const aliases = entry?.tool.aliases ?? [];
    const offered = entry === undefined ? [] : lookups.map(({ offer }) => offer(entry).offeredName);
    return [tool, original, ...aliases, ...offered, ...spokenNames];
  };

  // An alias may be the name of another tool, which takes precedence.
  const namesOf = (tool: string): readonly string[] =>
    protectedNamesOf(tool).filter((name) => name === tool || canonicalName(name) === tool);

  return {
    canonicalName,
    restricts,
    protectedNamesOf,
    namesOf,
    tools: () => [...registry.list().map(({ name }) => name), ...callsBesideTools],
    nearest,
    subjectOf: (name) => {
      const tool = inDialects().names.get(name) ?? canonicalName(name) ?? name;
      const runsCommands = registry.findExact(tool)?.tool.traits.runsCommands ?? false;
      return runsCommands ? "command" : (ruleSubjects.get(tool) ?? "path");
    },
  };
}

// Not registered as tools, but called like them.
const callsBesideTools = ["undo", "redo", "rewind"];
