import type { RegisteredTool, TakenName } from "../registry/registry.ts";
import type { Layer } from "../registry/tool-source.ts";
import { type Dialect, dialectNames } from "./dialect.ts";

/**
 * Finds the built-in tool that has a name in a dialect that is spoken here. A tool that takes the name unnoticed would
 * run where the built-in one was meant. The dialect may also offer a tool with a prefix. Names of other dialects are
 * free: no caller here uses them for the built-in tool, and rules on them bind both.
 */
export function takenNamesOf(
  spoken: readonly Dialect[],
): (name: string, layer: Layer) => TakenName | undefined {
  const known: ((name: string, layer: Layer) => TakenName | undefined)[] = [];
  return (name, layer) => {
    // Sessions may begin to speak further dialects.
    for (const dialect of spoken.slice(known.length)) known.push(takenIn(dialect));
    for (const find of known) {
      const taken = find(name, layer);
      if (taken !== undefined) return taken;
    }
    return undefined;
  };
}

function takenIn(dialect: Dialect): (name: string, layer: Layer) => TakenName | undefined {
  const names = new Map(dialectNames(dialect));
  const prefixes = new Map(Object.entries(dialect.prefixes ?? {}));
  return (name, layer) => {
    const prefix = prefixes.get(layer);
    const offered = prefix === undefined ? [name] : [name, prefix + name];
    for (const as of offered) {
      const tool = names.get(as);
      if (tool !== undefined) return { tool, as };
    }
    return undefined;
  };
}

/** Refuses a dialect in which a tool that is there already would have a built-in tool's name. */
export function refuseTakenNames(dialect: Dialect, tools: readonly RegisteredTool[]): void {
  const takenName = takenIn(dialect);
  for (const { name, layer, source, override } of tools) {
    if (layer === "builtin" || override === true) continue;
    const taken = takenName(name, layer);
    if (taken === undefined) continue;
    const offered = taken.as === name ? "" : `would be offered as ${taken.as}, which `;
    throw new TypeError(
      `the dialect ${dialect.name} cannot be used here: the tool ${name} from ${source} ${offered}has its name for ${taken.tool}; rename the tool, or set override: true if this is intended`,
    );
  }
}
