import type { TakenName } from "../registry/registry.ts";
import type { Layer } from "../registry/tool-source.ts";
import type { Dialect } from "./dialect.ts";
import { dialectNames } from "./dialect-names.ts";

/**
 * Finds the built-in tool that has a name in the runtime's dialect. A tool that takes the name unnoticed would run where
 * the built-in one was meant. The dialect may also offer a tool with a prefix. Names of other dialects are free: nobody
 * calls the built-in tool by them here, and rules on them bind both.
 */
export function takenNamesOf(spoken: Dialect): (name: string, layer: Layer) => TakenName | undefined {
  const names = new Map(dialectNames(spoken));
  const prefixes = new Map(Object.entries(spoken.prefixes ?? {}));
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
