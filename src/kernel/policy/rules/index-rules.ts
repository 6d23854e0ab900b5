import { extensionOf, type PathKey } from "./path-readings.ts";
import { eachList, type Rule, type RuledRequest, type RuleLists, type Rules } from "./rule.ts";

/**
 * Prepares rules for being asked thousands of times: `near` finds the few that could be about a request by their names,
 * so that the time for a verdict does not grow with the number of rules.
 */
export function indexRules(lists: RuleLists): Rules {
  const indexed = eachList((list) => createIndex(lists[list]));
  const near = (request: RuledRequest): RuleLists => {
    const keys = keysOfPaths(request.path);
    return eachList((list) => indexed[list](request, keys));
  };
  // Code that copies the lists to add a rule must not copy an index without that rule.
  return Object.defineProperty({ ...lists }, "near", { value: near, enumerable: false });
}

interface PathKeys {
  readonly names: ReadonlySet<string>;
  readonly extensions: readonly string[];
}

function createIndex(
  rules: readonly Rule[],
): (request: RuledRequest, keys: PathKeys | undefined) => readonly Rule[] {
  const isPathRule = ({ matchesPath }: Rule) => matchesPath !== undefined;
  const others = rules.filter((rule) => !isPathRule(rule) && rule.matchesCommand === undefined);
  const onCommands = rules.filter((rule) => rule.matchesCommand !== undefined);
  const byName = new Map<string, Rule[]>();
  const byExtension = new Map<string, Rule[]>();
  const unkeyed: Rule[] = [];
  for (const rule of rules.filter(isPathRule)) {
    const keys: readonly PathKey[] | undefined = rule.matchesPath?.keys;
    if (keys === undefined) unkeyed.push(rule);
    for (const key of keys ?? []) {
      if ("name" in key) addTo(byName, key.name, rule);
      else addTo(byExtension, key.extension, rule);
    }
  }
  return ({ command }, keys) => {
    // Fast path: most calls name no path and no command.
    if (keys === undefined && command === undefined) return others;
    const near = command === undefined ? [...others] : [...others, ...onCommands];
    if (keys === undefined) return near;
    near.push(...unkeyed);
    for (const name of keys.names) near.push(...(byName.get(name) ?? []));
    for (const extension of keys.extensions) near.push(...(byExtension.get(extension) ?? []));
    return near;
  };
}

function addTo(rules: Map<string, Rule[]>, key: string, rule: Rule): void {
  const known = rules.get(key);
  if (known === undefined) rules.set(key, [rule]);
  // A rule with several patterns may have a key twice.
  else if (known.at(-1) !== rule) known.push(rule);
}

function keysOfPaths(path: RuledRequest["path"]): PathKeys | undefined {
  if (path === undefined) return undefined;
  const { real, written } = path;
  const paths = real.absolute === written.absolute ? [real] : [real, written];
  const names = paths.map(({ absolute }) => absolute.split("/"));
  return {
    names: new Set(names.flat()),
    extensions: names.flatMap((each) => extensionOf(each.at(-1) ?? "") ?? []),
  };
}
