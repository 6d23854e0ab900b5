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

  // A name stands for the built-in tool that some dialect calls so, whoever has taken it since.
  const protectedTool = (name: string) => dialectNames.get(name) ?? name;
  const currentName = cacheUntilChange(registry, canonicalName);
  const restricts = (name: string, tool: string) =>
    protectedTool(name) === protectedTool(tool) || currentName(name) === tool;

  const protectedNamesOf = (tool: string): readonly string[] => {
    const original = protectedTool(tool);
    const inDialects = [...dialectNames.keys()].filter((name) => dialectNames.get(name) === original);
    const entry = registry.findExact(tool);
    const own =
      entry === undefined
        ? []
        : [...entry.tool.aliases, ...lookups.map(({ offer }) => offer(entry).offeredName)];
    return [tool, original, ...own, ...inDialects];
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
      const tool = dialectNames.get(name) ?? canonicalName(name) ?? name;
      const runsCommands = registry.findExact(tool)?.tool.traits.runsCommands ?? false;
      return runsCommands ? "command" : (ruleSubjects.get(tool) ?? "path");
    },
  };
}

/** Rules are tried with every call, and the tools seldom change. */
function cacheUntilChange<Result>(
  registry: Pick<Registry, "revision">,
  find: (name: string) => Result,
): (name: string) => Result {
  let found = new Map<string, Result>();
  let revision = registry.revision;
  return (name) => {
    if (revision !== registry.revision) {
      found = new Map();
      revision = registry.revision;
    }
    if (!found.has(name)) found.set(name, find(name));
    return found.get(name) as Result;
  };
}

// Not registered as tools, but called like them.
const callsBesideTools = ["undo", "redo"];
