import type { TakenName } from "../registry/registry.ts";
import type { Layer } from "../registry/tool-source.ts";
import type { Dialect } from "./dialect.ts";
import { allDialectNames } from "./dialects.ts";

/**
 * Finds the built-in tool that has a name in some dialect. A tool that takes the name unnoticed would run where the
 * built-in one was meant, past the rules on it. The session's dialect may also offer a tool with a prefix.
 */
export function takenNamesOf(spoken: Dialect): (name: string, layer: Layer) => TakenName | undefined {
  const dialectNames = allDialectNames();
  const prefixes = new Map(Object.entries(spoken.prefixes ?? {}));
  return (name, layer) => {
    const prefix = prefixes.get(layer);
    const offered = prefix === undefined ? [name] : [name, prefix + name];
    for (const as of offered) {
      const tool = dialectNames.get(as);
      if (tool !== undefined) return { tool, as };
    }
    return undefined;
  };
}
