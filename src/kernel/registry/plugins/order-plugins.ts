import type { PluginOf } from "./plugin.ts";

/** Dependencies first; otherwise in the order given. */
export function orderPlugins<Hooks>(plugins: readonly PluginOf<Hooks>[]): PluginOf<Hooks>[] {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const ordered = new Set<PluginOf<Hooks>>();
  const visit = (name: string, dependents: readonly string[]): void => {
    const chain = [...dependents, name];
    const plugin = byName.get(name);
    if (plugin === undefined) {
      throw new Error(`plugin ${name} is required but missing: ${chain.join(" → ")}`);
    }
    if (dependents.includes(name)) {
      const cycle = chain.slice(chain.indexOf(name));
      throw new Error(`plugins depend on each other in a cycle: ${cycle.join(" → ")}`);
    }
    if (ordered.has(plugin)) return;
    for (const dependency of plugin.dependencies ?? []) visit(dependency, chain);
    ordered.add(plugin);
  };
  for (const { name } of plugins) visit(name, []);
  return [...ordered];
}
